import type { PDFFont } from 'pdf-lib'

/** A font by what can be written in it. */
export interface Face {
  readonly font: PDFFont
  /** The text with what the font has no sign for replaced: it throws on such. */
  readonly printable: (text: string) => string
  readonly width: (text: string, size: number) => number
}

const LETTER = /[\p{L}\p{N}]/u
const UNKNOWN = '?'
const ELLIPSIS = '…'

/** What is written of a font: all signs that it has, or those of some scripts. */
export const faceOf = (font: PDFFont, scripts: RegExp | null = null): Face => {
  const known = new Set(font.getCharacterSet())
  const widths = new Map<string, number>()
  // Sign by sign: the library's own measure counts kerning, which it does not write.
  const widthOf = (sign: string): number => {
    const width = widths.get(sign) ?? font.widthOfTextAtSize(sign, 1)
    widths.set(sign, width)
    return width
  }
  const isKnown = (text: string): boolean =>
    Array.from(text).every((sign) => known.has(sign.codePointAt(0) ?? 0) && (scripts?.test(sign) ?? true))
  const signOf = (sign: string): string => {
    if (isKnown(sign)) return sign
    // Ligatures and letters of neighbours: what they are made of.
    const plain = sign.normalize('NFKD').replace(/\p{M}+/gu, '')
    if (plain !== '' && isKnown(plain)) return plain
    return LETTER.test(sign) ? UNKNOWN : ' '
  }
  const printed = (text: string): string => Array.from(text, signOf).join('').replace(/\s+/g, ' ').trim()
  return {
    font,
    // Of a name that is all symbols something shows.
    printable: (text) => printed(text.normalize('NFC')) || (text.trim() === '' ? '' : UNKNOWN),
    width: (text, size) => Array.from(text).reduce((sum, sign) => sum + widthOf(sign), 0) * size,
  }
}

/** As much of a printable text as a width holds, its cut shown. */
export const cutTo = (face: Face, text: string, size: number, width: number): string => {
  if (face.width(text, size) <= width) return text
  let room = width - face.width(ELLIPSIS, size)
  let kept = ''
  for (const sign of text) {
    room -= face.width(sign, size)
    if (room < 0) break
    kept += sign
  }
  return `${kept.trimEnd()}${ELLIPSIS}`
}

/** How many signs of a text stand on one line: up to a space where there is one, else as many as there is room for. */
const lineEnd = (face: Face, text: string, size: number, width: number): number => {
  let room = width
  let lastSpace = 0
  for (let at = 0; at < text.length; at += 1) {
    room -= face.width(text.charAt(at), size)
    if (room < 0) return lastSpace || Math.max(1, at)
    if (text.charAt(at) === ' ') lastSpace = at
  }
  return text.length
}

/** A text in lines of a width, whole; each of its own lines begins one. */
export const wrapped = (face: Face, text: string, size: number, width: number): readonly string[] => {
  const lines: string[] = []
  for (const paragraph of text.split(/\r?\n/).map(face.printable)) {
    let rest = paragraph
    while (rest !== '') {
      const end = lineEnd(face, rest, size, width)
      lines.push(rest.slice(0, end).trimEnd())
      rest = rest.slice(end).trimStart()
    }
  }
  return lines
}

/** The lines of a text to be copied sign by sign: nothing of it is left out between them. */
export const chopped = (face: Face, text: string, size: number, width: number): readonly string[] => {
  const lines: string[] = []
  let line = ''
  let room = width
  for (const sign of face.printable(text)) {
    const needed = face.width(sign, size)
    if (needed > room && line !== '') {
      lines.push(line)
      line = ''
      room = width
    }
    line += sign
    room -= needed
  }
  return [...lines, line]
}
