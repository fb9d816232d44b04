import { isLeft, right } from '../../failure.ts'
import { useCaseOf } from '../../kernel/running/use-case.ts'
import { formatDay, formatMoment } from '../../kernel/values/day.ts'
import { formatReais } from '../../kernel/values/money.ts'
import { formatTaxId } from '../../kernel/values/tax-id.ts'
import type { PersonalDataPaper, PersonalDataSection } from '../../ports/documents.ts'
import { byId } from '../../ports/store.ts'
import { accounts } from '../accounts/account.ts'
import { type Charge, chargeStatusView } from '../charges/charge.ts'
import type { Refund } from '../charges/refund-records.ts'
import type { Entry } from '../ledger/ledger.ts'
import type { AccountActor, PaymentsPorts } from '../payments-ports.ts'
import type { Delivery } from '../webhooks/deliveries.ts'
import { type Erasure, type KeptFields, keptFieldsOf } from './erasure.ts'
import { type PersonalData, readPersonalData } from './personal-data.ts'

export interface PersonalDataPdf {
  readonly clientId: number
  readonly pdf: Uint8Array
}

export const drawPersonalData = (ports: PaymentsPorts) => {
  const read = readPersonalData(ports)
  return (actor: AccountActor, clientId: number | null) =>
    useCaseOf<PersonalDataPdf>()(async () => {
      const found = await read(actor, clientId)()
      if (isLeft(found)) return found
      const pdf = await drawPaper(ports, actor.accountId, paperOf(found.right))
      return right({ clientId: found.right.client.id, pdf })
    })
}

type PaperOfPerson = Omit<PersonalDataPaper, 'title' | 'controller'>

/** Draws the data of a person as a PDF. Its controller is the account. */
export const drawPaper = async (
  { store, personalDataRenderer }: Pick<PaymentsPorts, 'store' | 'personalDataRenderer'>,
  accountId: number,
  paper: PaperOfPerson,
): Promise<Uint8Array> => {
  const account = await store.find(byId(accounts, accountId))
  const controller = { name: account?.name ?? '', document: account && formatTaxId(account.document) }
  return personalDataRenderer.personalDataPdf({ title: 'Dados pessoais armazenados', controller, ...paper })
}

type Fact = readonly [label: string, value: string]

/** Returns the facts that have a value. */
export const facts = (...all: readonly (readonly [label: string, value: string | null])[]): readonly Fact[] =>
  all.flatMap(([label, value]) => (value === null || value === '' ? [] : [[label, value] as const]))

const onDay = (day: string | null): string | null => day && formatDay(day)

/** Returns the texts and numbers in a JSON value, in order. */
const leaves = (value: unknown): readonly string[] => {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves)
  return value === null || value === undefined || value === '' ? [] : [`${value}`]
}

/** Returns free data in JSON as one line of `label: value`. */
export const lineOf = (json: string | null): string | null => {
  if (json === null) return null
  const value: unknown = JSON.parse(json)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return leaves(value).join(', ')
  return Object.entries(value)
    .flatMap(([key, part]) => leaves(part).map((leaf) => `${key}: ${leaf}`))
    .join(', ')
}

const METHODS = { PIX: 'Pix', BOLETO: 'Boleto', BOLEPIX: 'Bolepix', CREDIT_CARD: 'Cartão de crédito' } as const
const TYPES = { individual: 'Pessoa física', company: 'Pessoa jurídica' } as const
const GENDERS = { male: 'Masculino', female: 'Feminino' } as const
const CHANNELS: Readonly<Record<string, string>> = { email: 'E-mail', whatsapp: 'WhatsApp', sms: 'SMS' }
const RECORDS = {
  payer: 'Quem pagou',
  charge: 'Cobranças pagas',
  transaction: 'Lançamentos',
  refund: 'Devoluções',
  audit: 'Registro do pedido',
} as const

const clientFacts = ({ client, erasure }: PersonalData): readonly Fact[] =>
  facts(
    ['Código', client.code],
    ['Nome', client.name],
    ['Nome guardado por lei', erasure?.payerName ?? null],
    ['CPF ou CNPJ', client.document && formatTaxId(client.document)],
    ['Documento guardado por lei', erasure?.payerDocument ? formatTaxId(erasure.payerDocument) : null],
    ['E-mail', client.email],
    ['Telefone', client.phone],
    ['Tipo', client.type && TYPES[client.type]],
    ['Gênero', client.gender && GENDERS[client.gender]],
    ['Nascimento', onDay(client.birthdate)],
    ['Endereço', client.address && leaves(JSON.parse(client.address)).join(', ')],
    ['Dados livres', lineOf(client.metadata)],
    ['Identificador no Facebook', client.fbId],
    ['Cadastro', formatMoment(client.createdAt)],
    ['Última alteração', formatMoment(client.updatedAt)],
    ['Removido', client.removedAt && formatMoment(client.removedAt)],
  )

const chargeFacts = (charge: Charge): readonly Fact[] =>
  facts(
    ['Cobrança', `${charge.id} (${charge.code})`],
    ['Situação', chargeStatusView.of(charge.status).description],
    ['Valor', formatReais(charge.valueCents)],
    ['Meio de pagamento', METHODS[charge.paymentMethod]],
    ['Vencimento', formatDay(charge.dueDate)],
    ['Pago', charge.amountPaidCents === null ? null : formatReais(charge.amountPaidCents)],
    ['Pago em', onDay(charge.paymentDate)],
    ['Txid', charge.txid],
    ['Cartão', charge.card && `${charge.card.brand} •••• ${charge.card.last4}, ${charge.card.holder}`],
    ['Descrição', charge.description],
    ['Detalhes', charge.details],
    ['Instruções', charge.instructions],
    ['Endereço', charge.address && leaves(charge.address).join(', ')],
    ['Emissão', formatMoment(charge.createdAt)],
  )

const partyText = (party: Entry['payer']): string | null =>
  party && leaves({ ...party, document: formatTaxId(party.document) }).join(', ')

const entryFacts = (entry: Entry): readonly Fact[] =>
  facts(
    ['Lançamento', `${entry.id}`],
    ['Descrição', entry.description],
    ['Valor', formatReais(entry.valueCents)],
    ['Quando', formatMoment(entry.datetime)],
    ['Quem pagou', partyText(entry.payer)],
    ['Quem recebeu', partyText(entry.receiver)],
    ['EndToEndId', entry.endToEnd],
  )

const refundFacts = (refund: Refund): readonly Fact[] =>
  facts(
    ['Cobrança', `${refund.chargeId}`],
    ['Valor', formatReais(refund.valueCents)],
    ['Motivo', refund.reason],
    ['Quando', formatMoment(refund.createdAt)],
    ['EndToEndId do Pix devolvido', refund.endToEndId],
  )

/** Returns the facts about the payer in the body of an event; the JSON answer has the whole body. */
const bodyFacts = (body: unknown): readonly Fact[] => {
  const { client, charge, payer, description, reason, refund }: { readonly [key: string]: unknown } = Object(body)
  return [
    ...facts(
      ['Quem paga', leaves(client ?? payer).join(', ')],
      ['Descrição', leaves(description).join()],
      ['Motivo', leaves(reason).join()],
    ),
    ...(charge === undefined ? [] : bodyFacts(charge)),
    ...(refund === undefined ? [] : bodyFacts(refund)),
  ]
}

const deliveryFacts = ({ event, url, createdAt, payload, response }: Delivery): readonly Fact[] => [
  ...facts(['Evento', event], ['Enviado a', url], ['Quando', formatMoment(createdAt)]),
  ...bodyFacts(JSON.parse(payload).data),
  ...facts(['Resposta', response?.body ?? null]),
]

export const section = (
  title: string,
  empty: string,
  records: PersonalDataSection['records'],
): PersonalDataSection => ({ title, empty, records })

/** Returns the section about an erasure and the fields that stay after it. */
export const erasureSection = <R extends string>(
  erasure: Pick<Erasure, 'requestedAt' | 'completedAt' | 'requestedBy'> | null,
  kept: readonly KeptFields<R>[],
  recordNames: Readonly<Record<R, string>>,
): PersonalDataSection =>
  section(
    'Eliminação dos dados',
    'Não foi pedida.',
    erasure === null
      ? []
      : [
          facts(
            ['Pedida', formatMoment(erasure.requestedAt)],
            ['Concluída', erasure.completedAt ? formatMoment(erasure.completedAt) : 'Em andamento'],
            ['Pedida pelo usuário', `${erasure.requestedBy}`],
          ),
          ...kept.map(({ record, fields, reason, until }) =>
            facts(
              ['Fica', recordNames[record]],
              ['Campos', fields.join(', ')],
              ['Por quê', reason],
              ['Até', onDay(until) ?? 'Sem prazo'],
            ),
          ),
        ],
  )

const paperOf = (of: PersonalData): PaperOfPerson => ({
  person: of.client.name,
  issuedAt: of.issuedAt,
  sections: [
    section('Cadastro', 'Nenhum cadastro.', [clientFacts(of)]),
    section('Cobranças', 'Nenhuma cobrança.', of.charges.map(chargeFacts)),
    section('Lançamentos no extrato', 'Nenhum lançamento.', of.transactions.map(entryFacts)),
    section('Devoluções', 'Nenhuma devolução.', of.refunds.map(refundFacts)),
    section(
      'Links de pagamento para este cliente',
      'Nenhum link.',
      of.links.map(({ title, description, referenceCode }) =>
        facts(['Título', title], ['Descrição', description], ['Código de referência', referenceCode]),
      ),
    ),
    section(
      'Avisos dos últimos 7 dias',
      'Nenhum aviso.',
      of.messages.map(({ channel, to, text, createdAt }) =>
        facts(
          ['Canal', CHANNELS[channel] ?? channel],
          ['Para', to],
          ['Quando', formatMoment(createdAt)],
          ['Texto', text],
        ),
      ),
    ),
    section(
      'Eventos das cobranças',
      'Nenhum evento.',
      of.events.map(({ type, createdAt, data }) => [
        ...facts(['Evento', type], ['Quando', formatMoment(createdAt)]),
        ...bodyFacts(JSON.parse(data)),
      ]),
    ),
    section('Webhooks enviados', 'Nenhum webhook.', of.deliveries.map(deliveryFacts)),
    erasureSection(of.erasure, of.erasure ? keptFieldsOf(of.erasure) : [], RECORDS),
  ],
})
