import { base64OfBytes } from '../../kernel/values/base64.ts'

/** Deeper than any JSON that a server reads or an input takes: a program may nest without end. */
const MAX_DEPTH = 100

/** The one text of a parsed JSON value: object keys in order, files by their bytes. Equal values have equal texts. */
export const canonical = (value: unknown): string => textOf(value, [])

const textOf = (value: unknown, above: readonly unknown[]): string => {
  if (value instanceof Uint8Array) return JSON.stringify(base64OfBytes(value))
  // No JSON has them, and a program may; what is beyond all numbers (`1e400`) JSON reads, and cannot write.
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number' && !Number.isFinite(value)) return `${value}`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (above.length >= MAX_DEPTH || above.includes(value)) return 'endless'
  const within = [...above, value]
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, within)).join()}]`
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${textOf(field, within)}`).join()}}`
}
