import { parametersOf } from './parameters.ts'
import { inUtf8 } from './whole.ts'

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
export const partsOf = (body: Buffer, contentType: string): Readonly<Record<string, unknown>> | null => {
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
    return [name, { fileName: plain(fileName), contentType: headers?.get('content-type') ?? '', bytes }]
  }
  // Without a file name it is a field, though a type be named.
  const text = inUtf8(bytes, { ignoreBOM: true })
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
const plain = (fileName: string): string => fileName.slice(fileName.lastIndexOf('\\') + 1).replaceAll('%22', '"')
