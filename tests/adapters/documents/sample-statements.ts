import { addDays, addSeconds } from '../../../core/kernel/values/day.ts'
import type { Receipt, Statement, StatementDay, StatementHolder } from '../../../core/ports/documents.ts'

const holder: StatementHolder = {
  name: 'Padaria São João Ltda',
  document: '12.ABC.345/01DE-35',
  bank: '748 - Banco Cooperativo Sicredi S.A.',
  agency: '0165',
  account: '00623-1',
}

const FROM = '2026-11-01'

const LINES = [
  { type: 'Pix In', description: 'Mensalidade de novembro', party: 'Maria da Silva - 123.456.789-09', cents: 150_050 },
  { type: 'Tarifa Pix In', description: 'Mensalidade de novembro', party: null, cents: -99 },
  { type: 'Boleto In', description: 'Parcela 3 de 12', party: 'João Conceição - 111.444.777-35', cents: 1_234_567 },
  { type: 'Pix Out', description: 'Fornecedor de farinha', party: 'Moinho Ltda - 11.222.333/0001-81', cents: -98_765 },
] as const

/** Returns a statement with the types of lines in turn; with cards, every seventh line has no balance. */
export const statementOf = (days: number, linesADay: number, hasCards = false): Statement => {
  let balance = 1_000_000
  const opening = balance
  let [income, expenses] = [0, 0]
  const allDays = Array.from({ length: days }, (_, at): StatementDay => {
    const day = addDays(FROM, at)
    const openingCents = balance
    const lines = Array.from({ length: linesADay }, (_, index) => {
      const number = at * linesADay + index
      const { cents, ...line } = LINES[number % LINES.length] ?? LINES[0]
      const time = addSeconds(`${day}T12:00:00.000Z`, index)
      if (hasCards && number % 7 === 3) {
        const card = { type: 'Liquidação Cartão', description: 'Venda no cartão', party: null }
        return { ...card, at: time, valueCents: 9_700, balanceCents: null }
      }
      balance += cents
      if (cents > 0) income += cents
      else expenses -= cents
      return { ...line, at: time, valueCents: cents, balanceCents: balance }
    })
    return { day, openingCents, closingCents: balance, lines }
  })
  return {
    holder,
    from: FROM,
    to: addDays(FROM, Math.max(0, days - 1)),
    issuedAt: '2026-12-01T13:05:09.123Z',
    sums: { openingCents: opening, closingCents: balance, incomeCents: income, expensesCents: expenses },
    filters: null,
    days: allDays,
  }
}

export const statements = {
  usual: statementOf(20, 4, true),
  empty: statementOf(0, 0),
  narrowed: {
    ...statementOf(3, 4),
    sums: null,
    filters: 'tipo Pix In; busca “maria”',
    days: statementOf(3, 4).days.map((day) => ({ ...day, openingCents: null, closingCents: null })),
  },
} satisfies Record<string, Statement>

export const receipt: Receipt = {
  id: 4711,
  type: 'Pix In',
  status: 'Confirmado',
  at: '2026-11-21T13:05:09.123Z',
  issuedAt: '2026-11-22T13:05:09.123Z',
  valueCents: 150_050,
  description: 'Mensalidade de novembro',
  refundNote: null,
  payer: { name: 'Maria da Silva', document: '***.456.789-**', bankAccount: 'Banco 001, agência 1234, conta 98765-4' },
  receiver: { name: holder.name, document: holder.document, bankAccount: null },
  endToEndId: 'E0118152120301121130500123456789',
  txid: 'A1b2C3d4E5f6G7h8I9j0K1l2M',
  holder,
}
