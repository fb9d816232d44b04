import type { Document, Sort } from 'mongodb'
import type { Id } from '../../core/kernel/records/record.ts'
import type { Doc } from './layout/document.ts'
import type { Filter } from './layout/shape.ts'

export interface FindOptions {
  readonly filter: Filter
  readonly sort?: Sort
  readonly skip?: number
  readonly limit?: number
  readonly projection?: Document
  /** The name of the index, if the store chooses it. */
  readonly hint?: string | undefined
}

interface Pipeline {
  readonly pipeline: readonly Document[]
  readonly hint?: string | undefined
}

/** A read of one collection: a record by its id, a search or a pipeline. */
export type ReadRequest = { readonly from: string } & (
  | { readonly id: Id }
  | { readonly search: FindOptions }
  | Pipeline
)

/** Sends one request. */
export interface RequestReader {
  find(collection: string, search: FindOptions): Promise<Doc[]>
  aggregate(collection: string, pipeline: readonly Document[], hint: string | undefined): Promise<Document[]>
}

export const readAlone = (request: ReadRequest, reader: RequestReader): Promise<Document[]> => {
  if ('id' in request) return reader.find(request.from, { filter: { _id: { $eq: request.id } }, limit: 1 })
  if ('search' in request) return reader.find(request.from, request.search)
  return reader.aggregate(request.from, request.pipeline, request.hint)
}

/** Returns the documents of each request, read one after the other. */
export const readInTurn = async (requests: readonly ReadRequest[], reader: RequestReader): Promise<Document[][]> => {
  const found: Document[][] = []
  for (const request of requests) found.push(await readAlone(request, reader))
  return found
}

/** Returns the documents of each request. One command reads all requests without a hint and one with a hint. */
export const readTogether = async (requests: readonly ReadRequest[], reader: RequestReader): Promise<Document[][]> => {
  const [only, ...others] = requests
  if (only && others.length === 0) return [await readAlone(only, reader)]
  const found: Document[][] = requests.map(() => [])
  for (const parts of commandsOf(partsOf(requests))) {
    const [first] = parts
    if (!first) continue
    for (const { part, doc } of await reader.aggregate(first.from, unionOf(parts), first.hint))
      for (const request of parts[part]?.requestsOf(doc) ?? []) found[request]?.push(doc)
  }
  return found
}

/** A part of a command: one request, or all requests by id of a collection. */
interface Part extends Pipeline {
  readonly from: string
  /** Returns the positions of the requests that a document belongs to. */
  requestsOf(doc: Document): readonly number[]
}

const partsOf = (requests: readonly ReadRequest[]): Part[] => {
  const parts: Part[] = []
  const byCollection = new Map<string, Map<Id, number[]>>()
  for (const [position, request] of requests.entries()) {
    if (!('id' in request)) {
      parts.push({ from: request.from, ...pipelineOf(request), requestsOf: () => [position] })
      continue
    }
    const positions = byCollection.get(request.from) ?? new Map<Id, number[]>()
    byCollection.set(request.from, positions)
    positions.set(request.id, [...(positions.get(request.id) ?? []), position])
  }
  const byIds = [...byCollection].map(([from, positions]) => ({
    from,
    pipeline: [{ $match: { _id: { $in: [...positions.keys()] } } }],
    requestsOf: ({ _id }: Document) => positions.get(_id) ?? [],
  }))
  return [...byIds, ...parts]
}

const pipelineOf = (request: { readonly search: FindOptions } | Pipeline): Pipeline => {
  if ('pipeline' in request) return request
  const { filter, sort, skip, limit, projection, hint } = request.search
  const pipeline = [
    { $match: filter },
    ...(sort ? [{ $sort: sort }] : []),
    ...(skip ? [{ $skip: skip }] : []),
    ...(limit === undefined ? [] : [{ $limit: limit }]),
    ...(projection ? [{ $project: projection }] : []),
  ]
  return { pipeline, hint }
}

/** MongoDB accepts at most 1,000 stages. */
const MAX_PARTS = 100

/** Returns the parts of each command. A hint applies to the first part of a command only. */
const commandsOf = (parts: readonly Part[]): Part[][] => {
  const [hinted, ...others] = parts.filter(({ hint }) => hint !== undefined)
  const joined = [...(hinted ? [hinted] : []), ...parts.filter(({ hint }) => hint === undefined)]
  const commands = others.map((part) => [part])
  for (let from = 0; from < joined.length; from += MAX_PARTS) commands.push(joined.slice(from, from + MAX_PARTS))
  return commands
}

const unionOf = (parts: readonly Part[]): Document[] =>
  parts.flatMap(({ from, pipeline }, part) => {
    const numbered = [...pipeline, { $replaceWith: { part, doc: '$$ROOT' } }]
    return part === 0 ? numbered : [{ $unionWith: { coll: from, pipeline: numbered } }]
  })
