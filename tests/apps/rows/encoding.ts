import type { AnyRow } from '../../../apps/http/rows/row.ts'
import { bodyRuleOf } from '../../../apps/http/rows/row.ts'

type Fields = Readonly<Record<string, unknown>>

interface Encoded {
  readonly type: string
  readonly body: string | Uint8Array
}

const BOUNDARY = 'a-boundary-of-the-tests'

/** A picture of one dot. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const FORM = 'application/x-www-form-urlencoded'

const kindsOf = (row: AnyRow) => bodyRuleOf(row)?.kinds ?? ['json']

/** Whether a row takes JSON: what is no JSON at all can be tried only there. */
export const takesJson = (row: AnyRow): boolean => kindsOf(row).includes('json')

/** Whether a row takes a table, which is one text. */
export const takesCsv = (row: AnyRow): boolean => kindsOf(row).includes('csv')

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const textsOf = (body: Fields) => Object.fromEntries(Object.entries(body).map(([name, value]) => [name, textOf(value)]))

const partOf = (row: AnyRow, name: string, value: unknown): readonly (string | Uint8Array)[] => {
  const isFile = row.input.body?.fields[name]?.schema.format === 'binary' && `${value}`.endsWith('.png')
  const file = isFile ? `; filename="${value}"\r\nContent-Type: image/png` : ''
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`
  return [head, isFile ? DOT : textOf(value), '\r\n']
}

/** A body as its row takes it. A form has no null: what is null is not in it. */
export const encodedFor = (row: AnyRow, body: Fields): Encoded => {
  if (takesCsv(row)) return { type: 'text/csv', body: textOf(body.csv) }
  if (takesJson(row)) return { type: 'application/json', body: JSON.stringify(body) }
  if (kindsOf(row).includes('form')) return { type: FORM, body: new URLSearchParams(textsOf(body)).toString() }
  const parts = Object.entries(body).filter(([, value]) => value !== null && value !== undefined)
  const pieces = [...parts.flatMap(([name, value]) => partOf(row, name, value)), `--${BOUNDARY}--\r\n`]
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    body: Buffer.concat(pieces.map((piece) => Buffer.from(piece))),
  }
}
