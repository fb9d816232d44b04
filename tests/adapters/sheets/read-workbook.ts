import { strFromU8, unzipSync } from 'fflate'

const unescaped = (xml: string): string =>
  xml
    // Character codes of a workbook (ECMA-376, ST_Xstring).
    .replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll(/&#(?:x([\da-f]+)|(\d+));/gi, (_, hex, dec) =>
      String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(dec)),
    )
    .replaceAll('&amp;', '&')

/** The cells in the XML of a sheet. */
const cellsIn = (xml: string) =>
  [...xml.matchAll(/<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)].map(([, attributes = '', inner = '']) => ({
    at: /r="(\w+)"/.exec(attributes)?.[1] ?? '',
    type: /t="(\w+)"/.exec(attributes)?.[1] ?? null,
    text: unescaped(/<(?:t|v)[^>]*>(.*?)<\/(?:t|v)>/s.exec(inner)?.[1] ?? ''),
  }))

/** Reads the names of the parts of a workbook, and the XML, cells and texts by row of its first sheet. */
export const readWorkbook = (bytes: Uint8Array) => {
  const parts = unzipSync(bytes)
  const sheet = parts['xl/worksheets/sheet1.xml']
  if (!sheet) throw new Error('the workbook has no sheet')
  const xml = strFromU8(sheet)
  const rows = [...xml.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, inner = '']) =>
    cellsIn(inner).map(({ text }) => text),
  )
  return { parts: Object.keys(parts), xml, cells: cellsIn(xml), rows }
}
