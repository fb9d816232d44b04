import type { JsonSchema } from '../../../core/kernel/input/field.ts'
import { isShallow } from './json.ts'
import { decodeUtf8 } from './whole.ts'

/**
 * What a page has posted, by name: a text, or a list where a name came more than once. Null where it is no form: too many
 * fields, or bytes that are no UTF-8.
 */
export const parseForm = (text: string): Readonly<Record<string, string | readonly string[]>> | null => {
  const fields = new Map<string, string | readonly string[]>()
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1
    // What is no UTF-8 was read as this character, as in other bodies.
    if (count > MAX_PARTS || `${name}${value}`.includes('\ufffd')) return null
    const known = fields.get(name)
    fields.set(name, known === undefined ? value : [known, value].flat())
  }
  return Object.fromEntries(fields)
}

/** Fields and files of one form. */
export const MAX_PARTS = 100
/** What is said of one part before its content: a few names. */
export const MAX_PART_HEAD_BYTES = 8_192

/** A file of a form, whole: limits of bodies are small enough to hold them. */
export interface Upload {
  readonly fileName: string
  /** As the sender says: what it really is, its bytes tell. */
  readonly contentType: string
  readonly bytes: Uint8Array
}

type Value = string | Upload

const LINE_END = '\r\n'
const LAST = '--'
const SPACE = 0x20
const TAB = 0x09
const HEAD_END = `${LINE_END}${LINE_END}`
/** Any that can be seen, though RFC 2046 knows fewer: `*****` has always been taken. */
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
 * The fields and files of a form that was read whole, by name: a list where a name came more than once. It follows
 * RFC 7578 to the letter, in time that is linear in the bytes. Null where the form is broken: no boundary, no end, more
 * parts than there may be, a part without a name, a field that is no UTF-8.
 */
export const parseMultipart = (body: Buffer, contentType: string): Readonly<Record<string, unknown>> | null => {
  const boundary = parametersOf(contentType)?.get('boundary') ?? ''
  const sections = BOUNDARY.test(boundary) ? sectionsOf(body, boundary) : null
  if (!sections) return null
  const parts = new Map<string, Value[]>()
  for (const section of sections) {
    const part = partOf(section)
    if (!part) return null
    const [name, value] = part
    const known = parts.get(name)
    if (known) known.push(value)
    else parts.set(name, [value])
  }
  return Object.fromEntries([...parts].map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
}

/** What stands between the boundaries, from the end of the one's line to the beginning of the next. */
const sectionsOf = (body: Buffer, boundary: string): readonly Buffer[] | null => {
  const delimiter = Buffer.from(`${LINE_END}--${boundary}`)
  const opening = delimiter.subarray(LINE_END.length)
  const isFirst = body.subarray(0, opening.length).equals(opening)
  // What comes before the first boundary, or after the last, is for people who read mail.
  const found = isFirst ? -LINE_END.length : body.indexOf(delimiter)
  if (found < 0 && !isFirst) return null
  let start = found + delimiter.length
  const sections: Buffer[] = []
  while (sections.length <= MAX_PARTS) {
    if (body.toString('latin1', start, start + LAST.length) === LAST) return sections
    // Blanks may pad the line of a boundary. Source: RFC 2046, section 5.1.1.
    while (body[start] === SPACE || body[start] === TAB) start += 1
    const isLine = body.toString('latin1', start, start + LINE_END.length) === LINE_END
    const end = isLine ? body.indexOf(delimiter, start + LINE_END.length) : -1
    if (end < 0) return null
    sections.push(body.subarray(start, end))
    start = end + delimiter.length
  }
  return null
}

const partOf = (section: Buffer): readonly [name: string, value: Value] | null => {
  const most = LINE_END.length + MAX_PART_HEAD_BYTES + HEAD_END.length
  const end = section.subarray(0, most).indexOf(HEAD_END)
  // Names may be in whatever a sender writes: those that are no UTF-8 are names of no field of ours.
  const headers = end < 0 ? null : headersOf(section.toString('utf8', LINE_END.length, end))
  const disposition = headers?.get('content-disposition') ?? ''
  const said = FORM_DATA.test(disposition) ? parametersOf(disposition) : null
  const name = said?.get('name')
  const decode = CONTENTS.get(headers?.get('content-transfer-encoding')?.toLowerCase() ?? 'binary')
  if (name === undefined || !decode) return null
  const bytes = decode(section.subarray(end + HEAD_END.length))
  const fileName = said?.get('filename')
  if (fileName !== undefined) {
    return [name, { fileName: decodeFileName(fileName), contentType: headers?.get('content-type') ?? '', bytes }]
  }
  // Without a file name it is a field, though a type be named.
  const text = decodeUtf8(bytes, { ignoreBOM: true })
  return text === null ? null : [name, text]
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

/** Some browsers send the folders, too; all of them write a quote so. */
const decodeFileName = (fileName: string): string =>
  fileName.slice(fileName.lastIndexOf('\\') + 1).replaceAll('%22', '"')

/** One of them, in quotes or not. No text makes it look twice at what it has passed: headers may be long and hostile. */
const PARAMETER = /;\s*([^\s=;"]+)=(?:"([^\r\n]*?)"|([^\s;"]*))\s*(?=;|$)/gy
const END = /^;?\s*$/

/**
 * The parameters of a header such as `form-data; name="a"; filename=b`, by name in lower case. A quote ends a text only
 * where a parameter may end, since some senders quote a name that holds quotes. Null where they are broken, or one comes
 * twice: whoever reads the first of them and whoever reads the last would not see the same form.
 */
export const parametersOf = (header: string): ReadonlyMap<string, string> | null => {
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
  return END.test(rest.slice(end)) ? found : null
}

type Parts = Readonly<Record<string, unknown>>

/** `address[city]`, `rules[on_due][channels][]` */
const NAME = /^([^[\]]+)((?:\[[^[\]]*\])+)$/
const MAX_DEPTH = 8

const keysOf = (name: string): readonly string[] => {
  const [, first, rest] = NAME.exec(name) ?? []
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

const plain = (value: unknown): unknown => {
  if (!(value instanceof Map)) return value
  // `name[]` is a list, whatever else it is called by.
  if (value.size === 1 && value.has('')) return [value.get('')].flat()
  return Object.fromEntries([...value].map(([key, inner]) => [key, plain(inner)]))
}

/** What a form says of objects and lists in brackets, as objects and lists. What is bracketed deeper stays as it is. */
export const nestFields = (parts: Parts): Parts => {
  const root = new Map<string, unknown>()
  for (const [name, value] of Object.entries(parts)) {
    const keys = keysOf(name)
    put(root, keys.length > MAX_DEPTH ? [name] : keys, value)
  }
  return Object.fromEntries([...root].map(([key, inner]) => [key, plain(inner)]))
}

const typesOf = ({ type }: JsonSchema): readonly unknown[] => [type].flat()
const WORDS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false }
const NUMBER = /^-?\d+(\.\d+)?$/

const parsed = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return isShallow(value) ? value : text
  } catch {
    return text
  }
}

const objectOf = (schema: JsonSchema, sent: Parts): Parts => {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>
  const typed = ([key, value]: readonly [string, unknown]) => {
    const inner = Object.hasOwn(properties, key) ? properties[key] : undefined
    return [key, inner ? toSchemaTypes(inner, value) : value] as const
  }
  return Object.fromEntries(Object.entries(sent).map(typed))
}

/**
 * A form's texts as the numbers, flags, lists and objects that a schema asks for; what reads as none of them stays a text,
 * which its codec then names. An object or a list may also be one text of JSON.
 */
export const toSchemaTypes = (schema: JsonSchema, value: unknown): unknown => {
  const types = typesOf(schema)
  if (typeof value === 'string') {
    if (types.includes('boolean')) return WORDS[value] ?? value
    if ((types.includes('number') || types.includes('integer')) && NUMBER.test(value)) return Number(value)
    if (types.includes('object') && value.startsWith('{')) return parsed(value)
    if (types.includes('array')) return value.startsWith('[') ? parsed(value) : [value]
    return value
  }
  if (Array.isArray(value)) return value.map((each) => toSchemaTypes((schema.items ?? {}) as JsonSchema, each))
  const isParts = typeof value === 'object' && value !== null && types.includes('object')
  return isParts ? objectOf(schema, value as Parts) : value
}
