import test from 'ava'
import { parse } from 'csv-parse/sync'
import { sheetWriter } from '../../../adapters/sheets/sheet-writer.ts'
import type { Chunks } from '../../../core/ports/files.ts'
import type { Sheet, SheetRow } from '../../../core/ports/sheets.ts'
import { readWorkbook } from './read-workbook.ts'

const HOSTILE = [
  ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '=HYPERLINK("http://x";"y")', ';=1', '"'],
  ...['"=1', '＝1+1', 'a;b\r\nc"d"', 'a\nb', ' espaço ', 'João 🍞 <b>&amp;</b>', '007'],
]

const sheetOf = (batches: readonly (readonly SheetRow[])[]): Sheet => ({
  title: 'Extrato',
  columns: [
    { title: 'ID', kind: 'integer', width: 10 },
    { title: 'Data', kind: 'instant', width: 19 },
    { title: 'Descrição', kind: 'text', width: 40 },
    { title: 'Valor', kind: 'money', width: 14 },
  ],
  rows: (async function* () {
    yield* batches
  })(),
})

const AT = '2026-11-21T13:05:09.123Z'
const hostileSheet = () =>
  sheetOf([HOSTILE.map((text, index) => [index, AT, text, -index]), [], [[99, null, null, null]]])

const bytesOf = async (chunks: Chunks): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = []
  for await (const piece of chunks) pieces.push(piece)
  return Buffer.concat(pieces)
}

const csvText = async (sheet: Sheet): Promise<string> =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await bytesOf(sheetWriter.csv(sheet)))
const READING = { bom: true, delimiter: ';', record_delimiter: '\r\n' }

test('writes a CSV without formulas that another library reads', async (t) => {
  const text = await csvText(hostileSheet())
  t.true(text.startsWith("\uFEFFID;Data;Descrição;Valor\r\n0;21/11/2026 10:05:09;'=1+1;0,00\r\n"))
  const [, ...rows]: string[][] = parse(text, READING)
  t.is(rows.length, HOSTILE.length + 1)
  for (const [index, sent] of HOSTILE.entries()) {
    const [id, at, told = '', value] = rows[index] ?? []
    t.deepEqual(
      [id, at, value],
      [`${index}`, '21/11/2026 10:05:09', `${index === 0 ? '' : '-'}0,${`${index}`.padStart(2, '0')}`],
    )
    t.notRegex(told, /^[=+\-@\t\r\n＝]/)
    t.true([sent, `'${sent}`].includes(told), JSON.stringify(told))
  }
  t.deepEqual(rows.at(-1), ['99', '', '', ''])
})

test('writes the same number of cells in each line, also for readers that end records at any line break', async (t) => {
  const text = await csvText(hostileSheet())
  const rows: string[][] = parse(text, { bom: true, delimiter: ';' })
  t.deepEqual([...new Set(rows.map(({ length }) => length))], [4])
})

test('writes an XLSX whose texts are stored as texts, without formulas', async (t) => {
  const { parts, xml, cells } = readWorkbook(await bytesOf(sheetWriter.xlsx(hostileSheet())))
  for (const name of parts) t.false(name.includes('..') || name.startsWith('/'), name)
  t.is((xml.match(/<f[ >]/g) ?? []).length, 0)
  for (const [index, sent] of HOSTILE.entries()) {
    const row = index + 2
    const cell = cells.find(({ at }) => at === `C${row}`)
    t.is(cell?.type, 'inlineStr')
    t.is(
      cell?.text.replaceAll('\r\n', '\n').replaceAll('\r', '\n'),
      sent.replaceAll('\r\n', '\n').replaceAll('\r', '\n'),
    )
    const value = cells.find(({ at }) => at === `D${row}`)
    t.deepEqual([value?.type, value?.text], [null, `${-index / 100 || 0}`])
  }
  // 21/11/2026 10:05:09 in São Paulo, as days since the beginning of 1900.
  const time = Number(cells.find(({ at }) => at === 'B2')?.text)
  t.is(Math.round((time - 46_347) * 86_400), 10 * 3_600 + 5 * 60 + 9)
})

test('keeps texts that look like character codes of a workbook', async (t) => {
  const texts = ['_x000D_', 'a_x000d_b', '_x005F_x000D_', '__x0041__', '_x00_', '_xGGGG_', 'a\rb', 'sem_xis_']
  const rows = texts.map((text, index) => [index, AT, text, index])
  const { xml, cells } = readWorkbook(await bytesOf(sheetWriter.xlsx(sheetOf([rows]))))
  t.true(xml.includes('_x005F_x000D_'))
  t.deepEqual(
    texts.map((_, index) => cells.find(({ at }) => at === `C${index + 2}`)?.text.replaceAll('\n', '\r')),
    texts,
  )
})

for (const format of ['csv', 'xlsx'] as const) {
  const sheetFrom = (rows: () => AsyncGenerator<readonly SheetRow[]>) =>
    sheetWriter[format]({ ...sheetOf([]), rows: rows() })
  const batch = () => HOSTILE.map((text, index): SheetRow => [index, AT, text, index])

  test(`closes the source of the rows when the reader of ${format} stops`, async (t) => {
    let isOpen = true
    const chunks = sheetFrom(async function* () {
      try {
        for (;;) yield batch()
      } finally {
        isOpen = false
      }
    })
    let pieces = 0
    for await (const _ of chunks) {
      pieces += 1
      if (pieces === 3) break
    }
    t.false(isOpen)
  })

  test(`${format} fails if its rows fail`, async (t) => {
    const chunks = sheetFrom(async function* () {
      yield batch()
      throw new RangeError('gone')
    })
    await t.throwsAsync(bytesOf(chunks), { instanceOf: RangeError, message: 'gone' })
  })
}
