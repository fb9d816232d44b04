import { isValidBoleto } from '@brazilian-utils/brazilian-utils'
import test from 'ava'
import { PNG } from 'pngjs'
import { pdfInvoiceRenderer } from '../../../adapters/documents/pdf-invoice-renderer.ts'
import { withoutMarks } from '../../../core/payments/boleto.ts'
import type { Invoice } from '../../../core/ports/documents.ts'
import { FULL, some } from '../../size.ts'
import { barsOf, characterEdges, codeOf, codesOf, pagesOf, pixelsOf, textOf } from './printed-page.ts'
import { samples } from './sample-invoices.ts'

const drawn = (invoice: Invoice) => pdfInvoiceRenderer.invoicePdf(invoice)
const all: readonly (readonly [string, Invoice])[] = Object.entries(samples)

// A random sample; all of them in full.
for (const [name, invoice] of some(all, 2)) {
  test(`draws the codes of "${name}" readable for a scanner, and no others`, async (t) => {
    const codes = await codesOf(await drawn(invoice), 200)
    const expected = [invoice.boleto?.barcode ?? [], invoice.pixCode ?? []].flat()
    t.deepEqual(codes.map(({ text }) => text).sort(), expected.sort())
  })
  test(`draws "${name}" on one page, within its margins`, async (t) => {
    const pdf = await drawn(invoice)
    t.is(pagesOf(pdf), 1)
    const edges = characterEdges(pdf)
    t.true(edges.length > 100)
    const outside = edges.filter(([left, top, right, bottom]) => left < 22 || top < 22 || right > 562 || bottom > 825)
    t.deepEqual(outside, [])
  })
}

for (const dpi of FULL ? [150, 300] : [150])
  test(`draws both codes readable at ${dpi} dpi`, async (t) => {
    const pdf = await drawn(samples.bolepix)
    t.is((await codesOf(pdf, dpi)).length, 2)
  })

test('draws the bars of a slip 103 mm wide and 13 mm high', async (t) => {
  for (const name of ['boleto', 'bolepix', 'long'] as const) {
    const { width, height } = await barsOf(await drawn(samples[name]))
    t.true(Math.abs(width - 103) < 0.1, `${name}: ${width} mm wide`)
    t.true(Math.abs(height - 13) < 0.1, `${name}: ${height} mm high`)
  }
})

test('prints the digitable line of the bars, which another library accepts', async (t) => {
  for (const invoice of [samples.boleto, samples.long]) {
    const pdf = await drawn(invoice)
    const barcode = await codeOf(pdf, 'ITF')
    const [line = ''] = /\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}/.exec(textOf(pdf)) ?? []
    t.is(line, invoice.boleto?.digitableLine)
    t.true(isValidBoleto(withoutMarks(line)))
    const digits = withoutMarks(line)
    const parts = [digits.slice(0, 4), digits.slice(32), digits.slice(4, 9), digits.slice(10, 20), digits.slice(21, 31)]
    t.is(barcode, parts.join(''))
  }
})

test('draws all fields of the slip', async (t) => {
  const text = textOf(await drawn(samples.boleto))
  const fields = [
    '748-X | Local de pagamento | PREFERENCIALMENTE EM CANAIS ELETRÔNICOS DA SUA INSTITUIÇÃO FINANCEIRA | Vencimento',
    'Beneficiário | Padaria São João Ltda - 12.ABC.345/01DE-35',
    'Rua das Flores, 120, Centro, Florianópolis - SC, 88010-000 | Agência / Código do beneficiário | 0165.02.00623',
    'Data do documento | Nº do documento | Espécie doc. | Aceite | Data do processamento | Nosso número | 26/200042-3',
    'Uso do banco | Carteira | Quantidade | (=) Valor do documento | Instruções',
    'INSTRUÇÕES DE RESPONSABILIDADE DO BENEFICIÁRIO. | DESCONTO DE R$ 10,00 ATÉ 05/12/2026',
    'APÓS 10/12/2026 JUROS DE R$ 0,41 POR DIA DE ATRASO | (–) Desconto / Abatimento | (–) Outras deduções',
    '(+) Mora / Multa | (+) Outros acréscimos | (=) Valor cobrado | Pagador',
    'Maria da Conceição Araújo - 123.456.789-09 | Sacador / Avalista | Autenticação mecânica – Ficha de compensação',
    'Recibo do pagador',
  ].flatMap((line) => line.split(' | '))
  for (const field of fields) t.true(text.includes(field), field)
})

test('prints the largest amount whole', async (t) => {
  const text = textOf(await drawn(samples.long))
  t.true(text.includes('R$ 99.999.999,99'))
  t.true(text.includes('\n99.999.999,99\n'))
})

test('prints the Pix code to copy whole, up to 512 characters', async (t) => {
  for (const signs of FULL ? [20, 200, 512] : [512]) {
    const pixCode = 'W'.repeat(signs)
    for (const sample of [samples.bolepix, samples.pix]) {
      const text = textOf(await drawn({ ...sample, pixCode })).replace(/\n/g, '')
      t.is(/W+/.exec(text)?.[0].length, signs)
    }
  }
})

for (const [name, words] of [
  ['pix', ['Fatura', 'Em aberto', 'Pague com Pix', 'Valor em 23/11/2026: R$ 1.224,56']],
  ['card', ['Recibo', 'Paga', 'Pago em', 'Visa •••• 1111', '3x']],
  ['paid', ['Comprovante', 'Valor pago', '01/12/2026']],
  ['cancelled', ['Cancelada', 'não faça o pagamento']],
  ['unanswered', ['O banco ainda não informou como pagar esta cobrança.']],
  ['strange', ['Pão do Łukasz ??? Ελλάς', 'e fim']],
] as const)
  test(`prints the status of "${name}"`, async (t) => {
    const text = textOf(await drawn(samples[name]))
    for (const word of words) t.true(text.includes(word), word)
  })

const names: readonly (readonly [name: string, printed: string])[] = [
  ['Łukasz', 'Łukasz'],
  ['Nguyễn Thị Ánh', 'Nguyễn Thị Ánh'],
  ['João Conceição', 'João Conceição'],
  ['Ana 😀 Souza', 'Ana Souza'],
  ['Rosa 👩🏽‍🌾, flores 🌷!', 'Rosa, flores!'],
  ['Łódź 🎂 (bolos 1️⃣)', 'Łódź (bolos 1)'],
  ['Ana\u00ad\u200d\u202eSouza', 'AnaSouza'],
  ['नमस्ते 李', '???? ?'],
  ['Ana\tSouza', 'Ana Souza'],
  ['Ana\nSouza', 'Ana Souza'],
]
for (const [name, printed] of names)
  test(`prints the name ${JSON.stringify(name)} as ${JSON.stringify(printed)}, whatever the method`, async (t) => {
    for (const sample of ['boleto', 'bolepix', 'pix', 'card'] as const) {
      const payee = { ...samples[sample].payee, name }
      const payer = { ...samples[sample].payer, name }
      const pdf = await drawn({ ...samples[sample], payee, payer, description: name })
      t.is(pagesOf(pdf), 1)
      const text = textOf(pdf).replace(/\s+/g, ' ')
      for (const found of [`${printed} 12.ABC.345/01DE-35`, `${printed} - 123.456.789-09`, `Descrição ${printed} `])
        t.true(text.includes(found), `${sample}: ${text}`)
    }
  })

test('draws the same bytes for the same charge, also with an embedded font', async (t) => {
  for (const description of ['Ana Souza', 'Łukasz']) {
    const invoice = { ...samples.bolepix, description }
    t.deepEqual(await drawn(invoice), await drawn(invoice))
  }
})

test('drops symbols that the fonts lack from a text of nothing else', async (t) => {
  const [party, description] = [{ name: '🛒🇧🇷' }, '🎉 ✨']
  const { payee, payer } = samples.boleto
  const symbols = { payee: { ...payee, ...party }, payer: { ...payer, ...party }, description }
  const text = textOf(await drawn({ ...samples.boleto, ...symbols }))
  t.false(text.includes('?'))
  t.true(text.includes('12.ABC.345/01DE-35'))
})

test('embeds a font only for letters that the plain fonts lack', async (t) => {
  const plain = await drawn(samples.boleto)
  const wide = await drawn({ ...samples.boleto, description: 'Łukasz' })
  t.true(plain.length < 20_000, `${plain.length}`)
  t.true(wide.length > plain.length && wide.length < plain.length + 20_000, `${wide.length} over ${plain.length}`)
})

test('lets the event loop run between two charges', async (t) => {
  const order: string[] = []
  const bills = ['boleto', 'bolepix', 'pix', 'boleto'] as const
  let isOver = false
  const turns = (async () => {
    while (!isOver) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      if (order.at(-1) !== 'turn') order.push('turn')
    }
  })()
  await Promise.all(bills.map((name) => pdfInvoiceRenderer.invoicePdf(samples[name]).then(() => order.push('bill'))))
  isOver = true
  await turns
  t.deepEqual(order.slice(0, 2 * bills.length), ['turn', 'bill', 'turn', 'bill', 'turn', 'bill', 'turn', 'bill'])
})

const DPI = 72

const withLogo = (logo: Uint8Array | null) =>
  pdfInvoiceRenderer.invoicePdf({ ...samples.bolepix, payee: { ...samples.bolepix.payee, logo } })

const red = (width: number, height: number): Uint8Array => {
  const png = new PNG({ width, height })
  for (let at = 0; at < width * height; at += 1) png.data.set([255, 0, 0, 255], at * 4)
  return new Uint8Array(PNG.sync.write(png))
}

/** Returns the width and height of the red area of a page, in points. */
const redOn = (pdf: Uint8Array): readonly [number, number] => {
  const { data, width, height } = pixelsOf(pdf, DPI)
  const isRed = (x: number, y: number) => {
    const at = (y * width + x) * 4
    return (data[at] ?? 0) > 200 && (data[at + 1] ?? 255) < 60
  }
  const columns = Array.from({ length: width }, (_, x) => x).filter((x) => isRed(x, 40))
  const rows = Array.from({ length: height }, (_, y) => y).filter((y) => isRed(38, y))
  return [columns.length, rows.length]
}

for (const [name, width, height, wide, high] of [
  ['a small one', 12, 4, 120, 40],
  ['a wide one', 600, 100, 120, 20],
  ['a high one', 50, 500, 4, 44],
] as const)
  test(`draws a logo in its corner with its aspect ratio: ${name}`, async (t) => {
    const [columns, rows] = redOn(await withLogo(red(width, height)))
    t.true(Math.abs(columns - wide) <= 2 && Math.abs(rows - high) <= 2, `${columns} x ${rows}`)
  })

const claiming = (width: number, height: number): Uint8Array => {
  const bytes = red(2, 2)
  new DataView(bytes.buffer).setUint32(16, width)
  new DataView(bytes.buffer).setUint32(20, height)
  return bytes
}

const unusable = [
  ['none', null],
  ['an empty one', new Uint8Array()],
  ['one that ends in its head', red(2, 2).slice(0, 12)],
  ['one that ends in its picture', red(20, 20).slice(0, 60)],
  ['one that would fill the memory', claiming(60_000, 60_000)],
  ['one that is broken', claiming(700, 700)],
  ['a JPEG without a picture', new Uint8Array([0xff, 0xd8, 0xff, 0xe0])],
  ['a WebP', new TextEncoder().encode('RIFF\0\0\0\0WEBPVP8 ')],
] as const
for (const [name, logo] of unusable)
  test(`draws a charge without its logo if that is unusable: ${name}`, async (t) => {
    const pdf = await withLogo(logo)
    t.deepEqual(pdf, await withLogo(null))
    t.deepEqual(redOn(pdf), [0, 0])
  })
