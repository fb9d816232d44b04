import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { PDFDocument, PDFFont } from 'pdf-lib'

/** The files of the wide fonts. The build compresses them into `assets`. */
export const WIDE_FONTS = { regular: 'DejaVuSansCondensed.ttf', bold: 'DejaVuSansCondensed-Bold.ttf' } as const
export const COMPRESSED = '.br'

/** A face and its name in the font dictionary of a page. */
interface NamedFace {
  readonly name: string
  readonly face: Face
}

export interface Faces {
  readonly all: readonly NamedFace[]
  /** Returns the plain face of a text, or the wide one if the plain one lacks a letter. */
  of(text: string, bold: boolean): NamedFace
}

/** The scripts of the wide fonts. Other scripts join their letters or run from right to left. */
const WIDE_SCRIPTS = /(?![\u{10000}-\u{10ffff}])[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]/u
/** A letter outside Windows-1252, the character set of the plain fonts. */
const BEYOND_PLAIN = /(?![\0-\u00ffŒœŠšŽžŸƒ])[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u

const isBeyondPlain = (text: string): boolean => BEYOND_PLAIN.test(text.normalize('NFC'))

/** Reports whether any text within a value has a letter that the plain fonts lack. */
const needsWide = (content: unknown): boolean => {
  if (typeof content === 'string') return isBeyondPlain(content)
  if (typeof content !== 'object' || content === null || ArrayBuffer.isView(content)) return false
  return Object.values(content).some(needsWide)
}

/** The build has the fonts beside it; sources use those of the last build. */
const folder = import.meta.url.endsWith('.ts') ? '../../dist/assets/' : './assets/'

const loaded = new Map<string, Promise<Uint8Array>>()

const decompress = promisify(brotliDecompress)

const bytesOf = (file: string): Promise<Uint8Array> => {
  const bytes =
    loaded.get(file) ??
    readFile(new URL(`${folder}${file}${COMPRESSED}`, import.meta.url)).then((compressed) => decompress(compressed))
  loaded.set(file, bytes)
  return bytes
}

/** Without ligatures: some readers extract one as a single character. */
const EMBEDDED = { subset: true, features: { liga: false } } as const

const wideFaces = async (document: PDFDocument) => {
  const { default: fontkit } = await import('@pdf-lib/fontkit')
  document.registerFontkit(fontkit)
  const embed = async (file: string) => faceOf(await document.embedFont(await bytesOf(file), EMBEDDED), WIDE_SCRIPTS)
  return { regular: await embed(WIDE_FONTS.regular), bold: await embed(WIDE_FONTS.bold) }
}

/**
 * Returns the faces of a document. The plain fonts come with every reader. The wide ones are embedded only if a text of
 * `content` needs them, with the glyphs that it uses.
 */
export const embedFaces = async (document: PDFDocument, content: unknown): Promise<Faces> => {
  const regular = { name: 'R', face: faceOf(await document.embedFont('Helvetica')) }
  const bold = { name: 'B', face: faceOf(await document.embedFont('Helvetica-Bold')) }
  if (!needsWide(content)) return { all: [regular, bold], of: (_, isBold) => (isBold ? bold : regular) }
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

/** A font with its character set and widths. */
export interface Face {
  readonly font: PDFFont
  /** Drops symbols and replaces letters that the font lacks, on which pdf-lib throws, and folds white space. */
  readonly printable: (text: string) => string
  readonly width: (text: string, size: number) => number
}

const LETTER = /[\p{L}\p{N}]/u
const UNKNOWN = '?'
/** Known to the plain font, which draws it as a hyphen. */
const SOFT_HYPHEN = '\u00ad'
/**
 * Characters without a width: the joiners of emoji, soft hyphens, marks of direction, and marks that no font here has.
 */
const INVISIBLE = /[\p{Cf}\p{M}]/u
/** Stands for a dropped symbol until the text is joined: it separates words, but leaves no space before punctuation. */
const DROPPED = '\0'
const DROPPED_AT_END = /\s*\0[\s\0]*(?=[.,;:!?)\]]|$)/g
const SPACES = /[\s\0]+/g
const ELLIPSIS = '…'

/** Returns the face of a font, limited to some scripts if given. */
const faceOf = (font: PDFFont, scripts: RegExp | null = null): Face => {
  const known = new Set(font.getCharacterSet())
  const widths = new Map<string, number>()
  // By character: pdf-lib's own measure includes kerning, which it does not draw.
  const widthOf = (character: string): number => {
    const width = widths.get(character) ?? font.widthOfTextAtSize(character, 1)
    widths.set(character, width)
    return width
  }
  const isKnown = (text: string): boolean =>
    Array.from(text).every((each) => known.has(each.codePointAt(0) ?? 0) && (scripts?.test(each) ?? true))
  const replace = (character: string): string => {
    if (character === SOFT_HYPHEN) return ''
    if (isKnown(character)) return character
    // Decomposes ligatures and letters with marks.
    const plain = character.normalize('NFKD').replace(/\p{M}+/gu, '')
    if (plain !== '' && isKnown(plain)) return plain
    if (LETTER.test(character)) return UNKNOWN
    return INVISIBLE.test(character) ? '' : DROPPED
  }
  const printed = (text: string): string =>
    Array.from(text, replace).join('').replace(DROPPED_AT_END, '').replace(SPACES, ' ').trim()
  return {
    font,
    printable: (text) => printed(text.normalize('NFC')),
    width: (text, size) => Array.from(text).reduce((sum, character) => sum + widthOf(character), 0) * size,
  }
}

/** Cuts a printable text to a width, with an ellipsis. */
export const cutTo = (face: Face, text: string, size: number, width: number): string => {
  if (face.width(text, size) <= width) return text
  let room = width - face.width(ELLIPSIS, size)
  let kept = ''
  for (const character of text) {
    room -= face.width(character, size)
    if (room < 0) break
    kept += character
  }
  return `${kept.trimEnd()}${ELLIPSIS}`
}

/** Returns the length of the first line: up to the last space that fits, or all that fits without one. */
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

/** Wraps a text to a width; its line breaks are kept. */
export const wrap = (face: Face, text: string, size: number, width: number): readonly string[] => {
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

/** Breaks a text into lines at any character, without losing white space at the breaks. */
export const chop = (face: Face, text: string, size: number, width: number): readonly string[] => {
  const lines: string[] = []
  let line = ''
  let room = width
  for (const character of face.printable(text)) {
    const needed = face.width(character, size)
    if (needed > room && line !== '') {
      lines.push(line)
      line = ''
      room = width
    }
    line += character
    room -= needed
  }
  return [...lines, line]
}
