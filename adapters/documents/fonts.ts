import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { type PDFDocument, type PDFFont, StandardFonts } from 'pdf-lib'

/** The files of the wide fonts, which are put beside what is built, compressed. */
export const WIDE_FONTS = { regular: 'DejaVuSansCondensed.ttf', bold: 'DejaVuSansCondensed-Bold.ttf' } as const
export const ZIPPED = '.br'

/** A face by the name under which a page knows it. */
export interface NamedFace {
  readonly name: string
  readonly face: Face
}

export interface Faces {
  readonly all: readonly NamedFace[]
  /** The face for a text: the plain one, or the wide one where only that has its letters. */
  of(text: string, bold: boolean): NamedFace
}

/** The wide fonts are used for these: other scripts join their letters, or run from right to left. Signs are single code units. */
const WRITTEN = /(?![\u{10000}-\u{10ffff}])[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]/u
/** A letter that the plain fonts lack: they have those of Windows-1252. */
const BEYOND_PLAIN = /(?![\0-\u00ffŒœŠšŽžŸƒ])[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u

const isBeyondPlain = (text: string): boolean => BEYOND_PLAIN.test(text.normalize('NFC'))

/** Whether any text of what is to be drawn has a letter that the plain fonts lack. */
const needsWide = (told: unknown): boolean => {
  if (typeof told === 'string') return isBeyondPlain(told)
  if (typeof told !== 'object' || told === null || ArrayBuffer.isView(told)) return false
  return Object.values(told).some(needsWide)
}

/** What is built has them beside itself; sources find them in what was built last. */
const folder = import.meta.url.endsWith('.ts') ? '../../dist/assets/' : './assets/'

const read = new Map<string, Promise<Uint8Array>>()

const unzip = promisify(brotliDecompress)

const bytesOf = (file: string): Promise<Uint8Array> => {
  const bytes =
    read.get(file) ?? readFile(new URL(`${folder}${file}${ZIPPED}`, import.meta.url)).then((of) => unzip(of))
  read.set(file, bytes)
  return bytes
}

/** Ligatures are read back as one sign by some readers. */
const EMBEDDED = { subset: true, features: { liga: false } } as const

const wideFaces = async (document: PDFDocument) => {
  const { default: fontkit } = await import('@pdf-lib/fontkit')
  document.registerFontkit(fontkit)
  const embed = async (file: string) => faceOf(await document.embedFont(await bytesOf(file), EMBEDDED), WRITTEN)
  return { regular: await embed(WIDE_FONTS.regular), bold: await embed(WIDE_FONTS.bold) }
}

/**
 * The faces of a document. The plain fonts are those that every reader has; the wide ones go into the file, only what is used of
 * them and only where what is told needs them.
 */
export const embedFaces = async (document: PDFDocument, told: unknown): Promise<Faces> => {
  const regular = { name: 'R', face: faceOf(await document.embedFont(StandardFonts.Helvetica)) }
  const bold = { name: 'B', face: faceOf(await document.embedFont(StandardFonts.HelveticaBold)) }
  if (!needsWide(told)) return { all: [regular, bold], of: (_, isBold) => (isBold ? bold : regular) }
  const faces = await wideFaces(document)
  const wide = { regular: { name: 'WR', face: faces.regular }, bold: { name: 'WB', face: faces.bold } }
  return {
    all: [regular, bold, wide.regular, wide.bold],
    of: (text, isBold) => {
      if (isBeyondPlain(text)) return isBold ? wide.bold : wide.regular
      return isBold ? bold : regular
    },
  }
}

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
