import test from 'ava'
import { chargeListPdf } from '../../../adapters/documents/charge-list-pdf.ts'
import { pdfContractRenderer } from '../../../adapters/documents/pdf-contract-renderer.ts'
import { pdfInvoiceRenderer } from '../../../adapters/documents/pdf-invoice-renderer.ts'
import { pdfOwnerStatementRenderer } from '../../../adapters/documents/pdf-owner-statement-renderer.ts'
import { receiptPdf } from '../../../adapters/documents/pdf-statement-renderer.ts'
import { statementPdf } from '../../../adapters/documents/statement-pdf.ts'
import { characterEdges, textOf } from './printed-page.ts'
import { samples } from './sample-invoices.ts'
import { receipt, statementOf } from './sample-statements.ts'

type Text = (length: number, tag: string) => string

const spaced: Text = (length, tag) => `${tag}${' Ação'.repeat(length)}`.slice(0, length - 1).concat('.')
const LENGTHS: Readonly<Record<string, Text>> = {
  '89 characters': (_, tag) => spaced(89, tag),
  'as many characters as a field takes': spaced,
  'as many wide letters without a space': (length, tag) => `${tag}${'W'.repeat(length - tag.length - 1)}.`,
}

const bill = (of: keyof typeof samples) => (text: Text) => {
  const party = (tag: string) => ({ name: text(255, tag), document: null, address: text(480, `${tag}place`) })
  return pdfInvoiceRenderer.invoicePdf({
    ...samples[of],
    payee: { ...party('payee'), logo: null },
    payer: party('payer'),
    description: text(500, 'description'),
    instructions: [text(2_000, 'instructions')],
  })
}

const holderOf = (text: Text) => ({ ...receipt.holder, name: text(255, 'holder'), bank: text(100, 'bank') })
const amounts = { incomeCents: 1, administrationCents: 1, expensesCents: 1, netCents: 1 }

const documents: Readonly<Record<string, (text: Text) => Promise<Uint8Array>>> = {
  boleto: bill('boleto'),
  bolepix: bill('bolepix'),
  pix: bill('pix'),
  receipt: (text) => {
    const side = (tag: string) => ({ name: text(255, tag), document: '1', bankAccount: text(100, `${tag}place`) })
    const sides = { payer: side('payer'), receiver: side('payee') }
    return receiptPdf({ ...receipt, ...sides, description: text(500, 'description'), holder: holderOf(text) })
  },
  statement: (text) => {
    const { days, ...statement } = statementOf(1, 1)
    const long = { description: text(500, 'description'), party: text(255, 'party') }
    return statementPdf({
      ...statement,
      filters: text(255, 'search'),
      holder: holderOf(text),
      days: days.map((day) => ({ ...day, lines: day.lines.map((line) => ({ ...line, ...long })) })),
    })
  },
  charges: (text) => {
    const [client, description] = [text(255, 'payer'), text(500, 'description')]
    const line = {
      id: 9_999_999,
      client,
      description,
      document: '12.ABC.345/01DE-35',
      method: 'Bolepix',
      status: 'Não emitido',
    }
    const paid = { cents: 999_999_999_999, day: '2026-11-30' }
    const cents = { valueCents: paid.cents, refundedCents: paid.cents }
    return chargeListPdf({
      holder: holderOf(text),
      issuedAt: receipt.issuedAt,
      filters: text(255, 'search'),
      ...cents,
      paidCents: paid.cents,
      lines: Array.from({ length: 30 }, () => ({ ...line, ...cents, dueDate: '2026-11-30', paid })),
    })
  },
  owner: (text) => {
    const [property, description] = [text(50, 'code'), text(255, 'told')]
    const head = { agency: text(255, 'agency'), owner: text(255, 'owner'), period: '2026-11' }
    const lines = [{ day: '2026-11-10', property, description, valueCents: 1, effectCents: 1 }]
    return pdfOwnerStatementRenderer().ownerStatementPdf({ ...head, ...amounts, lines, issuedAt: receipt.issuedAt })
  },
  contract: (text) => {
    const names = ['owner', 'mail', 'tenant', 'broker'].map((tag) => [tag, text(255, tag)] as const)
    return pdfContractRenderer.contractPdf({
      id: 'x',
      title: 'Contrato',
      agency: { name: text(255, 'agency'), document: null },
      sections: [{ title: 'Partes', facts: [...names, ['place', text(1_100, 'place')]] }],
      signers: [{ role: 'Locador', name: text(255, 'signer') }],
      updatedAt: receipt.issuedAt,
      fingerprint: 'x',
    })
  },
}

for (const [length, text] of Object.entries(LENGTHS))
  test(`prints texts of ${length} whole on every document, within its margins`, async (t) => {
    for (const [kind, draw] of Object.entries(documents)) {
      const used: string[] = []
      const pdf = await draw((most, tag) => {
        used.push(text(most, tag))
        return text(most, tag)
      })
      const shown = textOf(pdf).replace(/\s/g, '')
      for (const each of used) t.true(shown.includes(each.replace(/\s/g, '')), `${kind}: ${each}`)
      const over = characterEdges(pdf).filter(
        ([left, top, right, end]) => left < 22 || top < 22 || right > 565 || end > 830,
      )
      t.deepEqual(over, [], kind)
    }
  })
