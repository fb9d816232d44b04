import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { type PDFDocument, StandardFonts } from 'pdf-lib'
import { type Face, faceOf } from './fitted-text.ts'

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
