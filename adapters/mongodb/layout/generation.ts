import { randomBytes } from 'node:crypto'
import { type Document, ObjectId } from 'mongodb'

/**
 * Whoever writes a record names in its `_rev` the generation of shapes that it writes for: in the first four bytes, before
 * eight that are drawn. So the server itself can refuse what a process of an earlier one still sends, and a record tells
 * for which shapes it was written. Up to 0.3.0 a time stood there, which is greater than any generation.
 */
const RANDOM_BYTES = 8
const FIRST_TIME = 0x40_00_00_00

export const newRev = (generation: number): ObjectId => {
  const bytes = Buffer.alloc(4 + RANDOM_BYTES)
  bytes.writeUInt32BE(generation)
  randomBytes(RANDOM_BYTES).copy(bytes, 4)
  return new ObjectId(bytes)
}

export const generationOf = (rev: ObjectId): number => {
  const first = Buffer.from(rev.id).readUInt32BE(0)
  return first < FIRST_TIME ? first : 0
}

const bound = (generation: number, rest: number): ObjectId => {
  const bytes = Buffer.alloc(4 + RANDOM_BYTES, rest)
  bytes.writeUInt32BE(generation)
  return new ObjectId(bytes)
}

/** Takes only what is written for this generation; before the first there is none to keep out. */
export const validatorOf = (generation: number): Document =>
  generation === 0 ? {} : { _rev: { $gte: bound(generation, 0), $lte: bound(generation, 0xff) } }

/** The records that were written for none of these generations. */
export const notWrittenFor = (since: number, generation: number): Document => ({
  $or: [{ _rev: { $lt: bound(since, 0) } }, { _rev: { $gt: bound(generation, 0xff) } }],
})
