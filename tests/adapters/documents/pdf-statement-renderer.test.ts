import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { pdfStatementRenderer } from '../../../adapters/documents/pdf-statement-renderer.ts'
import { statementPdf } from '../../../adapters/documents/statement-pdf.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { isAtOnce } from '../../at-once.ts'
import { characterEdges, pagesOf, pixelsOf, textOf } from './printed-page.ts'
import { receipt, statementOf, statements } from './sample-statements.ts'

for (const [name, statement] of Object.entries(statements))
  test(`draws "${name}" within the margins, on numbered pages`, async (t) => {
    const pdf = await statementPdf(statement)
    const pages = pagesOf(pdf)
    t.true(textOf(pdf).includes(`Página 1 de ${pages}`))
    const edges = characterEdges(pdf)
    const outside = edges.filter(([left, top, right, bottom]) => left < 30 || top < 30 || right > 565 || bottom > 830)
    t.deepEqual(outside, [])
  })

test('prints the balance before and after each day', async (t) => {
  const text = textOf(await statementPdf(statements.usual))
  const head = ['Extrato da conta', 'Padaria São João Ltda', '01/11/2026 a 20/11/2026', 'Saldo inicial', 'R$ 10.000,00']
  for (const part of head) t.true(text.includes(part), part)
  for (const { day, closingCents } of statements.usual.days.slice(0, 3)) {
    t.true(text.includes(day.split('-').reverse().join('/')), day)
    const shown = ((closingCents ?? 0) / 100).toLocaleString('pt-BR', { minimumFractionDigits: 2 })
    t.true(text.includes(shown), shown)
  }
  t.true(textOf(await statementPdf(statementOf(2, 8, true))).includes('de cartão a liquidar'))
})

test('prints a note on an empty period, and the filters of a filtered one', async (t) => {
  t.true(textOf(await statementPdf(statements.empty)).includes('Não houve lançamentos neste período.'))
  const narrowed = textOf(await statementPdf(statements.narrowed))
  t.true(narrowed.includes('Somente: tipo Pix In'))
  t.false(narrowed.includes('Saldo final'))
})

test('aligns amounts at their last digit', async (t) => {
  const { data, width, height } = pixelsOf(await statementPdf(statementOf(1, 30)), 72)
  const isInk = (x: number, y: number) => (data[(y * width + x) * 4] ?? 255) < 140
  const ends = new Set<number>()
  for (let y = 190; y < Math.min(height, 700); y += 1) {
    let last = -1
    for (let x = 380; x < 448; x += 1) if (isInk(x, y)) last = x
    if (last > 0) ends.add(last)
  }
  t.true(ends.size > 0 && Math.max(...ends) - Math.min(...[...ends].filter((x) => x > 430)) <= 12)
})

test('draws a statement in a thread, without blocking this one', async (t) => {
  const threads: unknown[] = []
  const onWorker = (thread: unknown) => threads.push(thread)
  process.on('worker', onWorker)
  t.teardown(() => process.off('worker', onWorker))
  const drawing = pdfStatementRenderer().statementPdf(statementOf(30, 100))
  t.false(await isAtOnce(drawing))
  t.true(pagesOf(await drawing) > 50)
  t.is(threads.length, 1)
})

test('draws a receipt on one page, with both parties', async (t) => {
  const pdf = await pdfStatementRenderer().receiptPdf(receipt)
  t.is(pagesOf(pdf), 1)
  const text = textOf(pdf)
  const parts = ['Comprovante', 'R$ 1.500,50', 'Maria da Silva', '***.456.789-**', 'E0118152120301121130500123456789']
  for (const part of parts) t.true(text.includes(part), part)
})

test('draws statements of accounts in turn, and rejects the 17th that waits for one account', async (t) => {
  const drawn: string[] = []
  const { statementPdf: draw } = pdfStatementRenderer(async ({ holder }) => {
    await setImmediate()
    drawn.push(holder.account)
    return new Uint8Array()
  })
  const drawOf = (account: string) => draw({ ...statements.empty, holder: { ...statements.empty.holder, account } })
  const many = Promise.all(Array.from({ length: 16 }, () => drawOf('1-1')))
  const other = drawOf('2-2')
  await t.throwsAsync(drawOf('1-1'), { instanceOf: StoreUnavailable })
  await other
  t.deepEqual(drawn, ['1-1', '1-1', '2-2'])
  await many
  await t.notThrowsAsync(drawOf('1-1'))
})
