import { failure } from '../../failure.ts'
import { flag, nullable, oneOf, optional, output, pick, view } from '../../kernel/input/mod.ts'
import { type Collection, record, t } from '../../kernel/records/record.ts'
import { type Day, dayOf, type Instant } from '../../kernel/values/day.ts'
import { formatReais } from '../../kernel/values/money.ts'
import { byId, byKey, listByIds } from '../../ports/store.ts'
import { type Client, clients, payerFields } from '../customers/client.ts'
import type { EntryDetails } from '../ledger/ledger.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { MAX_PIX_CENTS, staticPixCode } from '../pix/br-code.ts'
import { amountDue, discountLastDay, type PaymentTerms } from '../terms.ts'
import {
  type Charge,
  chargeFields,
  chargeStatusView,
  charges,
  isOpen,
  isPaid,
  lastPayableDay,
  statusAt,
} from './charge.ts'

/** A charge and its payer, as of a point in time. */
export interface ChargeDetail {
  readonly charge: Charge
  readonly client: Client
  readonly asOf: Instant
  /** Base of public links, without a trailing slash. */
  readonly publicUrl: string
}

/**
 * Reports whether public answers and automatic messages hide the payer. The caller of a payment link may name any
 * client of its account by an id or a document: only data that the caller typed, unchanged since, is shown.
 */
export const isPayerVeiled = ({ charge, client }: Pick<ChargeDetail, 'charge' | 'client'>): boolean =>
  charge.linkId !== null && (charge.isVeiled !== false || client.updatedAt !== client.createdAt)

/** The ports that a read of a charge needs. */
export type ChargeReader = Pick<PaymentsPorts, 'store' | 'clock' | 'settings'>

type ChargeKey = { readonly id: number } | { readonly code: string } | { readonly txid: string }

/** Returns the charge of an id, code or txid, in any account; null if there is none. */
export const findCharge = async (ports: ChargeReader, by: ChargeKey): Promise<ChargeDetail | null> => {
  const charge = await ports.store.find(chargeBy(by))
  return charge && withClient(ports, charge)
}

/** Reads the client of a charge. */
export const withClient = async (
  { store, clock, settings }: ChargeReader,
  charge: Charge,
): Promise<ChargeDetail | null> => {
  const client = await store.find(byId(clients, charge.clientId))
  return client && { charge, client, asOf: clock.steady(), publicUrl: settings.publicUrl }
}

/** Returns the detail with the status at its time: expired charges that the job has not moved yet included. */
export const withCurrentStatus = <D extends ChargeDetail>(detail: D): D => {
  const { charge, asOf } = detail
  const status = statusAt(charge, asOf)
  return status === charge.status ? detail : { ...detail, charge: { ...charge, status } }
}

/** Joins charges with their payers, in the order of the charges; a charge whose payer is missing is left out. */
export const detailsOf = (
  { settings: { publicUrl } }: Pick<ChargeReader, 'settings'>,
  records: readonly Charge[],
  payers: ReadonlyMap<number, Client>,
  asOf: Instant,
): readonly ChargeDetail[] =>
  records.flatMap((charge) => {
    const client = payers.get(charge.clientId)
    return client ? [withCurrentStatus({ charge, client, asOf, publicUrl })] : []
  })

/** Reads the clients of charges and returns both, in the order of the charges. */
export const withClients = async (
  ports: PaymentsPorts,
  records: readonly Charge[],
  asOf: Instant,
): Promise<readonly ChargeDetail[]> => {
  const ids = records.map(({ clientId }) => clientId)
  return detailsOf(ports, records, await listByIds(ports.store, clients, ids), asOf)
}

export const chargeBy = (by: ChargeKey) => {
  if ('id' in by) return byId(charges, by.id)
  return 'code' in by ? byKey(charges, 'code', by.code) : byKey(charges, 'txid', by.txid)
}

/** A charge after a request to change or delete it: still unchanged while `isAnswered` is false. */
export interface ChangedCharge extends ChargeDetail {
  readonly isAnswered: boolean
}

const otherTitle = record({
  /** The txid. */
  id: t.string,
  accountId: t.number,
  chargeId: t.number,
})

/** A title of a charge besides its current one: a replaced one, or a replacement in progress. It can still be paid. */
export const otherTitles: Collection<t.TypeOf<typeof otherTitle>> = {
  name: 'payments.other-titles',
  ids: 'text',
  codec: otherTitle,
  owner: 'accountId',
}

/** Returns the charge of a title, whether current or not: a payment of either belongs to the charge. */
export const findByTitle = async (ports: ChargeReader, txid: string): Promise<ChargeDetail | null> => {
  const current = await findCharge(ports, { txid })
  if (current) return current
  const other = await ports.store.find(byId(otherTitles, txid))
  return other && findCharge(ports, { id: other.chargeId })
}

export const NO_CHARGE = failure('not-found', 'charge.unknown')

/** Returns the details of a statement entry: the description of the charge, or `Cobrança` and its id, and `known`. */
export const entryDetails = (
  { id, description }: Pick<Charge, 'id' | 'description'>,
  known: Partial<EntryDetails> = {},
): EntryDetails => ({
  description: description ?? `Cobrança ${id}`,
  chargeId: id,
  txid: null,
  endToEnd: null,
  payer: null,
  receiver: null,
  ...known,
})

const PIX_STATUSES = ['pending', 'paid', 'cancelled'] as const

/** Returns the status of the charge's Pix: cancelled if the charge accepts no payment. */
export const pixStatus = ({ charge, asOf }: Pick<ChargeDetail, 'charge' | 'asOf'>): (typeof PIX_STATUSES)[number] => {
  const status = statusAt(charge, asOf)
  if (status === 'pending') return 'pending'
  return isPaid({ status }) ? 'paid' : 'cancelled'
}

/** The fields of a charge that determine its amount due. */
export type ChargeTerms = Pick<
  Charge,
  | 'valueCents'
  | 'dueDate'
  | 'amountRateHundredths'
  | 'typeRate'
  | 'fineHundredths'
  | 'typeFine'
  | 'discountHundredths'
  | 'typeDiscount'
  | 'daysDiscount'
> &
  Partial<Pick<Charge, 'received'>>

/** Returns the amount due on a day, in cents, with interest at most the maximum of a Pix code. */
export const dueOn = (charge: ChargeTerms, day: Day): number =>
  Math.min(MAX_PIX_CENTS, amountDue(termsOf(charge), day).dueCents)

/** Returns the terms of a charge, field by field: a copy of the whole record would cost more than the sum. */
export const termsOf = (charge: ChargeTerms): PaymentTerms => ({
  valueCents: charge.valueCents,
  dueDay: charge.dueDate,
  amountRateHundredths: charge.amountRateHundredths,
  typeRate: charge.typeRate,
  fineHundredths: charge.fineHundredths,
  typeFine: charge.typeFine,
  discountHundredths: charge.discountHundredths,
  typeDiscount: charge.typeDiscount,
  daysDiscount: charge.daysDiscount,
  received: charge.received ?? null,
})

/** Returns the sum of the partial payments, without the refunded ones. */
export const receivedCents = ({ received }: Pick<Charge, 'received'>): number =>
  (received ?? []).reduce((sum, { cents }) => sum + cents, 0)

/** Reports whether the title of an open charge has another amount than its rest. */
export const isTitleOutdated = (charge: Pick<Charge, 'status' | 'received' | 'titlePaidCents'>): boolean =>
  isOpen(charge) && receivedCents(charge) !== (charge.titlePaidCents ?? 0)

/** Reports whether the bank refused the title for the rest of a pending charge; only a change requests it again. */
export const isRestRefused = (charge: Charge): boolean =>
  charge.status === 'pending' && isTitleOutdated(charge) && charge.restRefusedCents === receivedCents(charge)

/** Returns the amount left to pay on a day of a charge that was paid in part; null for any other charge. */
const leftOn = (charge: Charge, day: Day): number | null => {
  if (charge.received === null) return null
  return isOpen(charge) ? dueOn(charge, day) : 0
}

/** Returns the last day of the discount: at most the last day on which the charge accepts a payment. */
export const discountUntil = (charge: ChargeTerms & Pick<Charge, 'lapsesAt'>): Day => {
  const [until, last] = [discountLastDay(termsOf(charge)), lastPayableDay(charge)]
  return last !== null && last < until ? last : until
}

/** Returns the copy-and-paste code of the Pix: the bank's code, or a static code with the amount due that day. */
export const pixCodeOf = (charge: Charge, day: Day): string | null => {
  const { pix } = charge
  if (!pix) return null
  if (pix.dynamicCode !== null) return isTitleOutdated(charge) ? null : pix.dynamicCode
  const amountCents = leftOn(charge, day) ?? dueOn(charge, day)
  return amountCents === 0 ? null : cachedStaticCode(pix, amountCents)
}

const MAX_STATIC_CODES = 4_096
/** The static codes of recent reads, by all of their parts; they are pure functions of them. */
const staticCodes = new Map<string, string>()

const cachedStaticCode = (pix: NonNullable<Charge['pix']>, amountCents: number): string => {
  const { key, payeeName, payeeCity, txid } = pix
  // The name is last: it alone may contain any character.
  const parts = `${txid}\n${amountCents}\n${key}\n${payeeCity}\n${payeeName}`
  const known = staticCodes.get(parts)
  if (known !== undefined) return known
  const code = staticPixCode({ key, merchantName: payeeName, merchantCity: payeeCity, amountCents, txid })
  if (staticCodes.size >= MAX_STATIC_CODES) staticCodes.clear()
  staticCodes.set(parts, code)
  return code
}

/** The fields of a Pix, in every view of it. */
export const pixFields = {
  txid: output.text({ about: 'Identificador do Pix' }),
  qrcode: nullable(output.text({ about: 'Pix copia e cola' })),
  status: oneOf(PIX_STATUSES, { about: 'Situação do Pix' }),
}

/** Returns the Pix of a charge; null if it has none, and before the bank's answer. */
export const pixOf = ({ charge, asOf }: Pick<ChargeDetail, 'charge' | 'asOf'>) =>
  charge.pix && { txid: charge.pix.txid, qrcode: pixCodeOf(charge, dayOf(asOf)), status: pixStatus({ charge, asOf }) }

/** The refunds of a charge and the rest of its payment, in cents; the rest is null if no payment was counted. */
export interface Returned {
  readonly cents: number
  readonly leftCents: number | null
}

/** Returns the sum of the completed refunds of a charge; null if there is none. */
export const returnedOf = ({
  amountPaidCents,
  refundedCents,
}: Pick<Charge, 'amountPaidCents' | 'refundedCents'>): Returned | null => {
  if (refundedCents === null || refundedCents === 0) return null
  return { cents: refundedCents, leftCents: amountPaidCents && Math.max(0, amountPaidCents - refundedCents) }
}

/** `Devolvido R$ 50,00; restam R$ 100,50.`, on pages, PDFs and in messages. */
export const returnedText = ({ cents, leftCents }: Returned): string =>
  `Devolvido ${formatReais(cents)}${leftCents === null ? '' : `; restam ${formatReais(leftCents)}`}.`

const BOLETO_STATUSES = ['issued', 'paid', 'cancelled'] as const

const BOLETO_STATUS_OF = { pending: 'issued', paid: 'paid', cancelled: 'cancelled' } as const

const boletoFields = {
  txid: output.text({ about: 'Identificador do boleto' }),
  nossoNumero: output.text({ about: 'Nosso número' }),
  barcode: output.text({ about: 'Código de barras, 44 dígitos' }),
  digitableLine: output.text({ wire: 'digitableLine', about: 'Linha digitável, 47 dígitos' }),
  status: oneOf(BOLETO_STATUSES, { about: 'Situação do boleto' }),
  pathPdf: output.text({ wire: 'pathPDF', about: 'Endereço do boleto em PDF' }),
}

/** Returns the address of the page where a payer sees and pays a charge. */
export const chargePageUrl = (publicUrl: string, { code }: Pick<Charge, 'code'>): string =>
  `${publicUrl}/pay/charge/${code}`

/** Returns the public address of a boleto as PDF. */
const boletoUrl = (publicUrl: string, txid: string): string => `${publicUrl}/storage/boletos/boleto_${txid}.pdf`

/** Returns the boleto of a charge; null without one, and until the bank has registered it, or that of the rest. */
export const boletoOf = ({ charge, asOf, publicUrl }: Pick<ChargeDetail, 'charge' | 'asOf' | 'publicUrl'>) => {
  const { boleto, txid } = charge
  if (!boleto || isTitleOutdated(charge)) return null
  return {
    ...boleto,
    txid: txid ?? '',
    status: BOLETO_STATUS_OF[pixStatus({ charge, asOf })],
    pathPdf: boletoUrl(publicUrl, txid ?? ''),
  }
}

export const boletoView = view('ChargeBoleto', boletoFields)

const pixView = view('ChargePix', pixFields)

const payerView = view('Payer', {
  id: chargeFields.id,
  name: payerFields.name,
  email: nullable(payerFields.email),
  document: nullable(payerFields.document),
})

/** The fields of a charge that was paid in part or in excess, in every view of it; other charges have none of them. */
const restFields = {
  leftCents: optional(
    output.money({ wire: 'amount_left', about: 'Quanto falta pagar hoje; só depois de pagamento em parte' }),
  ),
  overpaidCents: optional(
    output.money({ wire: 'amount_over', about: 'Pago a mais e ainda não devolvido; só onde houve' }),
  ),
  isRestRefused: optional(
    flag({
      wire: 'rest_refused',
      about: 'Se o banco recusou o Pix ou boleto do que falta; só onde recusou, e uma alteração o pede de novo',
    }),
  ),
}

interface ShownRest {
  readonly leftCents?: number
  readonly overpaidCents?: number
  readonly isRestRefused?: true
}

const NO_REST: ShownRest = {}

/** Returns the over-payment that is left; 0 if a refund that had failed here, but was returned, exceeded it. */
export const overpaidLeft = ({ overpaidCents }: Pick<Charge, 'overpaidCents'>): number =>
  Math.max(0, overpaidCents ?? 0)

const restOf = (charge: Charge, asOf: Instant): ShownRest => {
  const { received, overpaidCents } = charge
  if (received === null && overpaidCents === null) return NO_REST
  const leftCents = leftOn(charge, dayOf(asOf))
  return {
    ...(leftCents === null ? {} : { leftCents }),
    ...(overpaidCents === null ? {} : { overpaidCents: overpaidLeft(charge) }),
    ...(isRestRefused(charge) ? { isRestRefused: true } : {}),
  }
}

/** A charge as the API and webhooks show it: money in reais, documents without punctuation. */
export const chargeView = view(
  'Charge',
  {
    id: chargeFields.id,
    code: output.text({ about: 'Código público' }),
    url: output.text({ about: 'Página em que quem paga vê e paga a cobrança' }),
    valueCents: chargeFields.valueCents,
    amountPaidCents: nullable(
      output.money({ wire: 'amount_paid', about: 'Tudo o que já foi recebido, também depois do fim da cobrança' }),
    ),
    refundedCents: nullable(output.money({ wire: 'refunded_value', about: 'Total já devolvido' })),
    ...restFields,
    paymentDate: chargeFields.paymentDate,
    status: output.view(chargeStatusView, { about: 'Situação' }),
    ...pick(chargeFields, 'description', 'paymentMethod', 'dueDate'),
    client: output.view(payerView, { about: 'Quem paga' }),
    pix: nullable(
      output.view(pixView, { about: 'Pix; null onde a cobrança não se paga por Pix, e enquanto o banco não responde' }),
    ),
    boleto: nullable(
      output.view(boletoView, {
        about: 'Boleto; null onde a cobrança não se paga por boleto, e enquanto o banco não responde',
      }),
    ),
    ...pick(chargeFields, 'createdBy', 'createdAt'),
  },
  // Field by field, for the speed of lists.
  ({ charge, client, asOf, publicUrl }: ChargeDetail) => ({
    id: charge.id,
    code: charge.code,
    url: chargePageUrl(publicUrl, charge),
    valueCents: charge.valueCents,
    amountPaidCents: charge.amountPaidCents,
    refundedCents: charge.refundedCents,
    ...restOf(charge, asOf),
    paymentDate: charge.paymentDate,
    status: statusAt(charge, asOf),
    description: charge.description,
    paymentMethod: charge.paymentMethod,
    dueDate: charge.dueDate,
    client,
    pix: pixOf({ charge, asOf }),
    boleto: boletoOf({ charge, asOf, publicUrl }),
    createdBy: charge.createdBy,
    createdAt: charge.createdAt,
  }),
)
