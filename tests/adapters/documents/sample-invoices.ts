import { formatDigitableLine, formatNossoNumero, sicrediBoleto } from '../../../core/payments/boleto.ts'
import { staticPixCode } from '../../../core/payments/pix/br-code.ts'
import type { Invoice, InvoiceBoleto } from '../../../core/ports/documents.ts'

/** A registered boleto of so many cents, as it is printed. */
export const printedBoleto = (valueCents: number, dueDate: string): InvoiceBoleto => {
  const number = { agency: '0165', posto: '02', beneficiary: '00623', year: '26', byte: '2', sequence: 42 }
  const { nossoNumero, barcode, digitableLine } = sicrediBoleto({ ...number, valueCents, dueDate })
  return {
    bankName: 'Sicredi',
    bankCode: '748-X',
    agencyAndCode: '0165.02.00623',
    nossoNumero: formatNossoNumero(nossoNumero),
    portfolio: '1',
    barcode,
    digitableLine: formatDigitableLine(digitableLine),
  }
}

const pixCode = staticPixCode({
  key: '123e4567-e12b-12d1-a456-426655440000',
  merchantName: 'Padaria São João',
  merchantCity: 'São Paulo',
  amountCents: 123_456,
  txid: 'a1B2c3D4e5F6g7H8i9J0k1L2m',
})

const boleto = {
  id: 1042,
  code: 'k3Xa9Qm2',
  method: 'BOLETO',
  status: 'pending',
  payee: {
    name: 'Padaria São João Ltda',
    document: '12.ABC.345/01DE-35',
    address: 'Rua das Flores, 120, Centro, Florianópolis - SC, 88010-000',
    logo: null,
  },
  payer: {
    name: 'Maria da Conceição Araújo',
    document: '123.456.789-09',
    address: 'Avenida Beira-Mar Norte, 1500, apto 402, Agronômica, Florianópolis - SC, 88025-301',
  },
  description: 'Encomenda de pães e bolos para o evento de 5 de dezembro.',
  valueCents: 123_456,
  dueDate: '2026-12-10',
  documentDay: '2026-11-23',
  day: '2026-11-23',
  dueCents: 122_456,
  paid: null,
  refundNote: null,
  instructions: [
    'DESCONTO DE R$ 10,00 ATÉ 05/12/2026',
    'APÓS 10/12/2026 JUROS DE R$ 0,41 POR DIA DE ATRASO',
    'Não receber após 30 dias do vencimento.',
  ],
  boleto: printedBoleto(123_456, '2026-12-10'),
  pixCode: null,
  card: null,
} as const satisfies Invoice

const longWide = 'Łukasz Nguyễn Thị Ánh e Herdeiros, Comércio de Hortifrutigranjeiros '.repeat(9)
const long = 'Associação Beneficente de Amparo à Maternidade e à Infância São João del-Rei '.repeat(9)

const withTexts = (text: string, letter: string): Invoice => {
  const party = { name: text, document: '12.ABC.345/01DE-35', address: text }
  return {
    ...boleto,
    method: 'BOLEPIX',
    pixCode,
    payee: { ...party, logo: null },
    payer: party,
    description: text.repeat(3),
    instructions: [text, text, letter.repeat(500)],
  }
}

/** A charge of each kind, and hard cases of printing. */
export const samples = {
  boleto,
  bolepix: { ...boleto, method: 'BOLEPIX', pixCode },
  pix: { ...boleto, method: 'PIX', boleto: null, pixCode },
  card: {
    ...boleto,
    method: 'CREDIT_CARD',
    status: 'paid',
    boleto: null,
    instructions: [],
    paid: { cents: 123_456, day: '2026-11-23' },
    card: { brand: 'Visa', last4: '1111', holder: 'MARIA C ARAUJO', installments: 3 },
  },
  paid: {
    ...boleto,
    status: 'paid',
    boleto: null,
    instructions: [],
    paid: { cents: 123_456, day: '2026-12-01' },
  },
  cancelled: { ...boleto, status: 'cancelled', boleto: null },
  unanswered: { ...boleto, boleto: null },
  long: {
    ...withTexts(long, 'W'),
    valueCents: 9_999_999_999,
    dueCents: 9_999_999_999,
    boleto: printedBoleto(9_999_999_999, '2049-10-13'),
  },
  longWide: withTexts(longWide, 'Ł'),
  strange: {
    ...boleto,
    method: 'BOLEPIX',
    pixCode,
    payee: { name: '🥖 Pão do Łukasz 日本語\u0007\u0000 Ελλάς', document: null, address: null, logo: null },
    payer: { name: '👩‍👩‍👧 \ud800', document: null, address: null },
    description: 'Linha um\nLinha dois\r\n\ttabulação \u200b e ﬁm',
  },
} as const satisfies Record<string, Invoice>
