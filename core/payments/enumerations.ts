import { right } from '../failure.ts'
import { type DecodedOf, type InputOf, id, input, inQuery, nullable, output, view } from '../kernel/input/mod.ts'
import { searchTexts } from '../kernel/resources/queries.ts'
import { useCaseOf, withValidInput } from '../kernel/running/use-case.ts'
import { fold } from '../kernel/values/text.ts'
import { bankByCode, bankByIspb, banks, type ListedBank } from './banks.ts'
import { CLIENT_STATUSES } from './customers/client.ts'
import { EVENT_TYPES, type EventType } from './events.ts'
import type { PaymentsModule, PaymentsPorts } from './payments-ports.ts'
import { DELIVERY_STATUSES } from './webhooks/deliveries.ts'
import { WITHDRAWAL_STATUSES } from './withdrawals/views.ts'

const WEBHOOK_TITLES: Readonly<Record<EventType, string>> = {
  'charge.created': 'Cobrança criada',
  'charge.updated': 'Cobrança alterada',
  'charge.paid': 'Cobrança paga',
  'charge.expired': 'Cobrança expirada',
  'charge.cancelled': 'Cobrança cancelada',
  'charge.deleted': 'Cobrança apagada',
  'charge.failed': 'Cobrança com falha',
  'charge.refunded': 'Cobrança devolvida',
  'payment_link.paid': 'Link de pagamento pago',
  'withdraw.completed': 'Saque concluído',
  'withdraw.failed': 'Saque com falha',
  'pix.received': 'Pix recebido',
  'export.ready': 'Exportação pronta',
  'charge.partially_paid': 'Cobrança paga em parte',
  'charge.overpaid': 'Cobrança paga a mais',
  'split.received': 'Split recebido',
  'charge.rest_refused': 'Resto de cobrança recusado',
}

const DELIVERY_TITLES: Readonly<Record<(typeof DELIVERY_STATUSES)[number], string>> = {
  pending: 'Pendente',
  delivered: 'Entregue',
  failed: 'Falhou',
}

/** The codes of the API with their Portuguese titles. */
export const enumerations = {
  paymentMethods: [
    { value: 'pix', name: 'Pix' },
    { value: 'credit_card', name: 'Cartão de crédito' },
    { value: 'boleto', name: 'Boleto' },
    { value: 'bolepix', name: 'Bolepix' },
  ],
  userStatuses: [
    { value: 1, name: 'Ativo' },
    { value: 2, name: 'Inativo' },
    { value: 3, name: 'Bloqueado' },
  ],
  boletoStatuses: [
    { value: 1, name: 'Emitido' },
    { value: 2, name: 'Pago' },
    { value: 3, name: 'Cancelado' },
    { value: 4, name: 'Recusado' },
    { value: 5, name: 'Rejeitado' },
  ],
  pixStatuses: [
    { value: 1, name: 'Pendente' },
    { value: 2, name: 'Pago' },
    { value: 3, name: 'Cancelado' },
  ],
  webhookTypes: EVENT_TYPES.map((value) => ({ value, title: WEBHOOK_TITLES[value] })),
  webhookStatuses: DELIVERY_STATUSES.map((value) => ({ value, title: DELIVERY_TITLES[value] })),
  clientStatuses: CLIENT_STATUSES.map((title, place) => ({ id: place + 1, title })),
  /** A completed withdrawal stores `concluido` as its own value. */
  withdrawStatuses: WITHDRAWAL_STATUSES,
} as const

export const bankFilter = input('BankFilter', {
  ispb: inQuery.text({ about: 'ISPB, exato; zeros à esquerda são opcionais' }),
  code: inQuery.text({ about: 'Código COMPE, exato; zeros à esquerda são opcionais' }),
  name: inQuery.text({ about: 'Parte do nome' }),
  fullName: inQuery.text({ wire: 'fullName', about: 'Parte do nome completo' }),
  search: inQuery.text({ about: 'Parte do nome, do nome completo, do código ou do ISPB' }),
})
export type BankFilter = InputOf<typeof bankFilter>

const contains = (text: string | null, part: string): boolean => text !== null && fold(text).includes(fold(part))

const matches = ({ ispb, code, name, fullName, search }: DecodedOf<typeof bankFilter>, bank: ListedBank): boolean =>
  (ispb === undefined || bankByIspb(ispb.toUpperCase()) === bank) &&
  (code === undefined || bankByCode(code) === bank) &&
  (name === undefined || contains(bank.name, name)) &&
  (fullName === undefined || contains(bank.fullName, fullName)) &&
  (search === undefined ||
    searchTexts(search).some((part) =>
      [bank.name, bank.fullName, bank.code, bank.ispb].some((text) => contains(text, part)),
    ))

const listBanks =
  (ports: Pick<PaymentsPorts, 'clock'>) =>
  (filter: BankFilter = {}) =>
    withValidInput(ports, bankFilter, filter, (decoded) =>
      useCaseOf<readonly ListedBank[]>()(async () => right(banks.filter((bank) => matches(decoded, bank)))),
    )

export const bankView = view('Bank', {
  id: id({ about: 'Identificador' }),
  ispb: output.text({ about: 'ISPB' }),
  code: nullable(output.text({ about: 'Código COMPE, de 3 dígitos' })),
  name: output.text({ about: 'Nome' }),
  fullName: output.text({ about: 'Nome completo' }),
})

/** The searchable lists of codes; `enumerations` has the other ones. */
export const searchableEnumerations = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Lists the matching banks of Brazil, by default all. Texts match without regard to accents and case.
     * Fails: `fields`.
     */
    listBanks: listBanks(ports),
  }),
} satisfies PaymentsModule
