import type { JsonSchema } from '../../../core/kernel/input/mod.ts'
import { isShallow } from './json.ts'

/** The limit of fields and files of a form. */
export const MAX_PARTS = 100

/**
 * Parses an urlencoded form: by name a text, or a list for a repeated name. Returns null for too many fields, or bytes
 * that are not UTF-8.
 */
export const parseForm = (text: string): Readonly<Record<string, string | readonly string[]>> | null => {
  const fields = new Map<string, string | readonly string[]>()
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1
    // Bytes that are not UTF-8 were decoded as this character.
    if (count > MAX_PARTS || `${name}${value}`.includes('\ufffd')) return null
    const known = fields.get(name)
    fields.set(name, known === undefined ? value : [known, value].flat())
  }
  return Object.fromEntries(fields)
}

/** The limit of the headers of one part: a few names. */
export const MAX_PART_HEAD_BYTES = 8_192

/** A file of a form, in memory: the limits of bodies are small enough. */
export interface Upload {
  readonly fileName: string
  /** The type that the sender states; the bytes decide. */
  readonly contentType: string
  readonly bytes: Uint8Array
}

const LINE_END = '\r\n'
const LAST = '--'
const SPACE = 0x20
const TAB = 0x09
const HEAD_END = `${LINE_END}${LINE_END}`
/** All visible characters, though RFC 2046 permits fewer: clients send boundaries such as `*****`. */
const BOUNDARY = /^[ -~]{0,69}[!-~]$/
const HEADER = /^([A-Za-z\d-]+):([^\r\n]*)$/
const FORM_DATA = /^form-data\s*(?:;|$)/i

const asSent = (content: Buffer): Buffer => content
const CONTENTS = new Map<string, (content: Buffer) => Buffer>([
  ['7bit', asSent],
  ['8bit', asSent],
  ['binary', asSent],
  ['utf-8', asSent],
  ['base64', (content) => Buffer.from(content.toString('latin1'), 'base64')],
])

/**
 * Parses a multipart form strictly by RFC 7578, in linear time: by name a text or an `Upload`, or a list for a repeated
 * name. Returns null for a malformed form: no boundary, no end, too many parts, a part without a name, a field that is
 * not UTF-8.
 */
export const parseMultipart = (body: Buffer, contentType: string): Readonly<Record<string, unknown>> | null => {
  const boundary = parseParameters(contentType)?.get('boundary') ?? ''
  const sections = BOUNDARY.test(boundary) ? sectionsOf(body, boundary) : null
  if (!sections) return null
  const parts = new Map<string, (string | Upload)[]>()
  for (const section of sections) {
    const part = parsePart(section)
    if (!part) return null
    const [name, value] = part
    const known = parts.get(name)
    if (known) known.push(value)
    else parts.set(name, [value])
  }
  return Object.fromEntries([...parts].map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
}

/** Returns the sections between the boundaries. Text before the first boundary and after the last is ignored. */
const sectionsOf = (body: Buffer, boundary: string): readonly Buffer[] | null => {
  const delimiter = Buffer.from(`${LINE_END}--${boundary}`)
  const opening = delimiter.subarray(LINE_END.length)
  const isFirst = body.subarray(0, opening.length).equals(opening)
  const found = isFirst ? -LINE_END.length : body.indexOf(delimiter)
  if (found < 0 && !isFirst) return null
  let start = found + delimiter.length
  const sections: Buffer[] = []
  while (sections.length <= MAX_PARTS) {
    if (body.toString('latin1', start, start + LAST.length) === LAST) return sections
    // RFC 2046, section 5.1.1, permits blanks after a boundary.
    while (body[start] === SPACE || body[start] === TAB) start += 1
    const isLine = body.toString('latin1', start, start + LINE_END.length) === LINE_END
    const end = isLine ? body.indexOf(delimiter, start + LINE_END.length) : -1
    if (end < 0) return null
    sections.push(body.subarray(start, end))
    start = end + delimiter.length
  }
  return null
}

const parsePart = (section: Buffer): readonly [name: string, value: string | Upload] | null => {
  const most = LINE_END.length + MAX_PART_HEAD_BYTES + HEAD_END.length
  const end = section.subarray(0, most).indexOf(HEAD_END)
  // A name that is not UTF-8 matches no field of a row.
  const headers = end < 0 ? null : headersOf(section.toString('utf8', LINE_END.length, end))
  const disposition = headers?.get('content-disposition') ?? ''
  const parameters = FORM_DATA.test(disposition) ? parseParameters(disposition) : null
  const name = parameters?.get('name')
  const decode = CONTENTS.get(headers?.get('content-transfer-encoding')?.toLowerCase() ?? 'binary')
  if (name === undefined || !decode) return null
  const bytes = decode(section.subarray(end + HEAD_END.length))
  const fileName = parameters?.get('filename')
  if (fileName !== undefined) {
    return [name, { fileName: decodeFileName(fileName), contentType: headers?.get('content-type') ?? '', bytes }]
  }
  // A part with a type and no file name is a field.
  const text = decodeUtf8(bytes, { ignoreBOM: true })
  return text === null ? null : [name, text]
}

/**
 * Decodes UTF-8. Returns null for other bytes: with replacement characters, the stored text would differ from the sent
 * one.
 */
export const decodeUtf8 = (bytes: Uint8Array, options: { readonly ignoreBOM?: boolean } = {}): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ...options }).decode(bytes)
  } catch {
    return null
  }
}

const headersOf = (head: string): ReadonlyMap<string, string> | null => {
  const headers = new Map<string, string>()
  for (const line of head.split(LINE_END)) {
    const [, name, value] = HEADER.exec(line) ?? []
    if (name === undefined || value === undefined || headers.has(name.toLowerCase())) return null
    headers.set(name.toLowerCase(), value.trim())
  }
  return headers
}

/** Removes the folders that some browsers send, and decodes quotes, which all browsers send as `%22`. */
const decodeFileName = (fileName: string): string =>
  fileName.slice(fileName.lastIndexOf('\\') + 1).replaceAll('%22', '"')

/** One parameter, quoted or not. The pattern never backtracks far: headers may be long and hostile. */
const PARAMETER = /;\s*([^\s=;"]+)=(?:"([^\r\n]*?)"|([^\s;"]*))\s*(?=;|$)/gy
const PARAMETERS_END = /^;?\s*$/

/**
 * Parses the parameters of a header such as `form-data; name="a"; filename=b`, by name in lower case. A quote ends a
 * value only where a parameter may end, since some clients do not escape quotes in names. Returns null for malformed or
 * repeated parameters: of a repeated one, some parsers read the first and others the last.
 */
const parseParameters = (header: string): ReadonlyMap<string, string> | null => {
  const start = header.indexOf(';')
  const rest = start < 0 ? '' : header.slice(start)
  const found = new Map<string, string>()
  let end = 0
  for (const match of rest.matchAll(PARAMETER)) {
    const [all, name = '', quoted, token = ''] = match
    if (found.has(name.toLowerCase())) return null
    found.set(name.toLowerCase(), quoted ?? token)
    end += all.length
  }
  return PARAMETERS_END.test(rest.slice(end)) ? found : null
}

type Fields = Readonly<Record<string, unknown>>

/** `address[city]`, `rules[on_due][channels][]` */
const BRACKETED = /^([^[\]]+)((?:\[[^[\]]*\])+)$/
const MAX_DEPTH = 8

const keysOf = (name: string): readonly string[] => {
  const [, first, rest] = BRACKETED.exec(name) ?? []
  if (first === undefined || rest === undefined) return [name]
  return [first, ...rest.slice(1, -1).split('][')]
}

const put = (into: Map<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) {
    into.set(key, value)
    return
  }
  const known = into.get(key)
  const inner = known instanceof Map ? known : new Map<string, unknown>()
  into.set(key, inner)
  put(inner, rest, value)
}

const toPlain = (value: unknown): unknown => {
  if (!(value instanceof Map)) return value
  // `name[]` is a list, unless it has other keys too.
  if (value.size === 1 && value.has('')) return [value.get('')].flat()
  return Object.fromEntries([...value].map(([key, inner]) => [key, toPlain(inner)]))
}

/**
 * Turns fields with bracketed names into objects and lists. A name with more than `MAX_DEPTH` levels stays as it is.
 */
export const nestFields = (fields: Fields): Fields => {
  const root = new Map<string, unknown>()
  for (const [name, value] of Object.entries(fields)) {
    const keys = keysOf(name)
    put(root, keys.length > MAX_DEPTH ? [name] : keys, value)
  }
  return Object.fromEntries([...root].map(([key, inner]) => [key, toPlain(inner)]))
}

const WORDS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false }
const NUMBER = /^-?\d+(\.\d+)?$/

/**
 * Converts the texts of a form to the numbers, flags, lists and objects of a schema. A text of another form stays a
 * text, and its codec reports it. An object or a list may also be one text of JSON.
 */
export const toSchemaTypes = (schema: JsonSchema, value: unknown): unknown => {
  const types: readonly unknown[] = [schema.type].flat()
  if (typeof value === 'string') {
    if (types.includes('boolean')) return WORDS[value] ?? value
    if ((types.includes('number') || types.includes('integer')) && NUMBER.test(value)) return Number(value)
    if (types.includes('object') && value.startsWith('{')) return parseValue(value)
    if (types.includes('array')) return value.startsWith('[') ? parseValue(value) : [value]
    return value
  }
  if (Array.isArray(value)) return value.map((each) => toSchemaTypes((schema.items ?? {}) as JsonSchema, each))
  const isObject = typeof value === 'object' && value !== null && types.includes('object')
  return isObject ? convertFields(schema, value as Fields) : value
}

const parseValue = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return isShallow(value) ? value : text
  } catch {
    return text
  }
}

const convertFields = (schema: JsonSchema, fields: Fields): Fields => {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>
  const converted = ([key, value]: readonly [string, unknown]) => {
    const inner = Object.hasOwn(properties, key) ? properties[key] : undefined
    return [key, inner ? toSchemaTypes(inner, value) : value] as const
  }
  return Object.fromEntries(Object.entries(fields).map(converted))
}
