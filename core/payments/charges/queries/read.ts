import { failure, isLeft, left, right } from '../../../failure.ts'
import {
  type InputOf,
  id,
  input,
  inQuery,
  line,
  nullable,
  optional,
  output,
  pick,
  required,
  view,
} from '../../../kernel/input/mod.ts'
import { type UseCase, useCaseOf, withValidInput } from '../../../kernel/running/use-case.ts'
import { dayOf } from '../../../kernel/values/day.ts'
import { encodeBase64 } from '../../../kernel/values/encoding.ts'
import { parseId } from '../../../kernel/values/text.ts'
import { byId, type Store } from '../../../ports/store.ts'
import { accounts, isExisting } from '../../accounts/account.ts'
import { type PayeeWithLogo, payeeOf, payeeView, payeeWithLogoView } from '../../accounts/views.ts'
import { type Client, clients, payerFields } from '../../customers/client.ts'
import { type User, users } from '../../members/user.ts'
import { accountRead, type PaymentsPorts } from '../../payments-ports.ts'
import { readReceivers, readShares } from '../../splits/share.ts'
import { promisedSplitsField, type SplitDetail, splitView } from '../../splits/split.ts'
import { type Charge, chargeFields } from '../charge.ts'
import {
  type ChargeDetail,
  type ChargeReader,
  chargeBy,
  chargeView,
  isPayerVeiled,
  NO_CHARGE,
  pixCodeOf,
  pixFields,
  pixOf,
  pixStatus,
  withCurrentStatus,
} from '../detail.ts'
import { type Refund, refundsOf, refundView } from '../refund-records.ts'

export const readCharge = accountRead('charge.unknown', async (ports, accountId, idOrCode: string) => {
  const detail = await findOwnCharge(ports, accountId, idOrCode)
  return detail && withCurrentStatus(detail)
})

/** A charge with its issuer. */
export interface ChargeWithIssuer extends ChargeDetail {
  readonly createdBy: Pick<User, 'id' | 'name'> | null
}

/** A charge with its issuer and its refunds. */
export interface FullCharge extends ChargeWithIssuer {
  /** Newest first. */
  readonly refunds: readonly Refund[]
  /** The shares of other accounts in its payments; absent without any. */
  readonly splits?: readonly SplitDetail[]
}

/** Only the newest refunds are shown. */
const MAX_REFUNDS_SHOWN = 100

/** Adds the issuer, unless the charge was read with it, and the refunds. */
export const readDetails = async (
  { store }: Pick<PaymentsPorts, 'store'>,
  detail: ChargeDetail | ChargeWithIssuer,
): Promise<FullCharge> => {
  const { createdBy: userId, status, amountPaidCents } = detail.charge
  const createdBy = 'createdBy' in detail ? detail.createdBy : shownIssuer(await store.find(byId(users, userId)))
  // A pending charge without a payment has no refunds; one in any other status may have refunded a Pix.
  const { records } =
    status === 'pending' && amountPaidCents === null
      ? NO_REFUNDS
      : await store.list(refundsOf(detail.charge, MAX_REFUNDS_SHOWN))
  return { createdBy, refunds: records, ...detail, ...(await splitsOf(store, detail.charge)) }
}

const splitsOf = async (store: Store, { id: chargeId, splits }: Charge): Promise<Pick<FullCharge, 'splits'>> => {
  if (splits === null) return {}
  const shares = await readShares(store, { chargeId })
  const receivers = await readReceivers(store, { splits })
  const receivedBy = (accountId: number) =>
    shares
      .filter((share) => share.accountId === accountId)
      .reduce((sum, { creditedCents, returnedCents }) => sum + creditedCents - (returnedCents ?? 0), 0)
  const nameOf = (accountId: number) => receivers.find(({ id }) => id === accountId)?.name ?? ''
  return {
    splits: splits.map((each) => ({
      ...each,
      name: nameOf(each.accountId),
      receivedCents: receivedBy(each.accountId),
    })),
  }
}

const NO_REFUNDS: { readonly records: readonly Refund[] } = { records: [] }

export const readFullCharge =
  (ports: PaymentsPorts) =>
  (detail: ChargeDetail | ChargeWithIssuer): UseCase<FullCharge, never> =>
  async () =>
    right(await readDetails(ports, detail))

const issuerView = view('ChargeIssuer', { id: id({ about: 'Identificador' }), name: line({ max: 255, about: 'Nome' }) })

export const fullChargeView = view(
  'FullCharge',
  {
    ...chargeView.table,
    tag: output.alwaysNull({ about: 'Etiqueta' }),
    issuer: nullable(output.view(issuerView, { wire: 'createdBy', about: 'Quem emitiu' })),
    refunds: output.views(refundView, { about: 'Devoluções, a mais recente primeiro' }),
    splits: optional(
      output.views(splitView, { about: 'As contas que recebem uma parte do que é pago; só onde há alguma' }),
    ),
  },
  // In Node 20 an object with fields after a spread makes a hidden class at each evaluation, which costs more.
  (detail: FullCharge) => ({
    tag: null,
    issuer: detail.createdBy,
    refunds: detail.refunds,
    ...chargeView.of(detail),
    ...(detail.splits && { splits: detail.splits }),
  }),
)

/** A charge after its issue: as in lists, with the shares that its payments will have. */
export const issuedChargeView = view(
  'IssuedCharge',
  { ...chargeView.table, splits: promisedSplitsField },
  (detail: ChargeDetail) => ({
    ...chargeView.of(detail),
    ...(detail.charge.splits && { splits: detail.charge.splits }),
  }),
)

/** A charge and its payee. */
export interface PayableDetail extends ChargeDetail, PayeeWithLogo {}

/** Returns the charge of a code or txid, in any account; null if there is none, or if it or its account is deleted. */
export const findPayable = async (
  { store, clock, settings }: ChargeReader,
  by: { readonly code: string } | { readonly txid: string },
): Promise<PayableDetail | null> => {
  const charge = await store.find(chargeBy(by))
  if (!charge || charge.status === 'DELETED') return null
  const { client, account } = await store.read({
    client: byId(clients, charge.clientId),
    account: byId(accounts, charge.accountId),
  })
  if (!client || !isExisting(account)) return null
  return { charge, client, asOf: clock.steady(), publicUrl: settings.publicUrl, ...payeeOf(settings, account) }
}

/** A charge for its payer: with the payee and the QR code. */
export interface PublicCharge extends PayableDetail {
  /** The QR code as PNG; null without a code. */
  readonly qrPng: Uint8Array | null
}

/** The public code of a charge, as input. */
export const publicCode = input('PublicCode', { code: required(inQuery.text({ about: 'Código da cobrança' })) })
export type PublicCode = InputOf<typeof publicCode>
/** The key of a public charge: its code, or the txid of its Pix. */
export type PublicChargeKey = PublicCode | { readonly txid: string }

export const readPublicCharge = (ports: PaymentsPorts) => (by: PublicChargeKey) =>
  isByTxid(by)
    ? publicChargeOf(ports, by)
    : withValidInput(ports, publicCode, by, (code) => publicChargeOf(ports, code))

const isByTxid = (by: object): by is { readonly txid: string } => 'txid' in Object(by)

const publicChargeOf = (ports: PaymentsPorts, by: PublicChargeKey) =>
  useCaseOf<PublicCharge>()(async () => {
    const found = await findPayable(ports, by)
    // A boleto without a Pix has a txid too.
    const isOther = isByTxid(by) && found?.charge.paymentMethod === 'BOLETO'
    if (!found || isOther) return left(NO_CHARGE)
    const code = pixCodeOf(found.charge, dayOf(found.asOf))
    return right({ qrPng: code === null ? null : await ports.qrRenderer.qrPng(code), ...found })
  })

export const readPublicBoleto = (ports: PaymentsPorts) => (by: PublicCode) =>
  withValidInput(ports, publicCode, by, (code) =>
    useCaseOf<PublicCharge>()(async () => {
      const found = await publicChargeOf(ports, code)()
      if (isLeft(found) || found.right.charge.boleto) return found
      return left(failure('not-found', 'boleto.unknown'))
    }),
  )

const imageOf = ({ qrPng }: Pick<PublicCharge, 'qrPng'>): string | null =>
  qrPng && `data:image/png;base64,${encodeBase64(qrPng)}`

const image = nullable(output.text({ about: 'QR code em PNG, como data URL' }))

const drawnPixView = view('DrawnPix', { ...pixFields, image })

const { pix: _, ...plainTable } = chargeView.table

/**
 * A charge as its payer sees it, with the QR code of its Pix. For the charge of a payment link no client is shown,
 * because its caller may name any client of the account by an id or a document.
 */
export const publicChargeView = view(
  'PublicCharge',
  {
    ...plainTable,
    client: nullable(plainTable.client),
    pix: nullable(
      output.view(drawnPixView, {
        about: 'Pix; null onde a cobrança não se paga por Pix, e enquanto o banco não responde',
      }),
    ),
  },
  (found: PublicCharge) => {
    const { pix, ...rest } = chargeView.of(found)
    const known = found.charge.linkId === null ? rest.client : null
    return { ...rest, client: known, pix: pix && { ...pix, image: imageOf(found) } }
  },
)

/** A public charge with its payee. */
export const publicChargePayeeView = view(
  'PublicChargeWithPayee',
  { ...publicChargeView.table, payee: output.view(payeeWithLogoView, { wire: 'account', about: 'Quem recebe' }) },
  (found: PublicCharge) => ({ ...publicChargeView.of(found), payee: found }),
)

const { client: _client, ...unnamedTable } = chargeView.table

/** `m***@example.com`. */
const maskedEmail = (email: string): string => {
  const [first = ''] = email
  return `${first}***${email.slice(email.lastIndexOf('@'))}`
}

const debtorView = view(
  'Debtor',
  {
    name: payerFields.name,
    document: nullable(payerFields.document),
    email: nullable(output.text({ about: 'E-mail, só a primeira letra e o domínio' })),
  },
  ({ name, document, email }: Pick<Client, 'name' | 'document' | 'email'>) => ({
    name,
    document,
    email: email && maskedEmail(email),
  }),
)

/** A charge in the list of a document's open charges. */
export const owedChargeView = view(
  'OwedCharge',
  { ...unnamedTable, client: output.view(debtorView, { about: 'Quem paga' }) },
  (found: ChargeDetail) => chargeView.of(found),
)

/** A charge found by its boleto; the payer is hidden if the caller of a payment link named them. */
export const foundChargeView = view(
  'FoundCharge',
  { ...unnamedTable, client: nullable(chargeView.table.client) },
  (found: ChargeDetail) => ({ ...chargeView.of(found), client: isPayerVeiled(found) ? null : found.client }),
)

/** A Pix that was read by its txid. */
export const publicPixView = view(
  'PublicPix',
  {
    ...pick(pixFields, 'txid', 'qrcode'),
    image,
    status: pixFields.status,
    valueCents: chargeFields.valueCents,
    payee: output.view(payeeView, { wire: 'account', about: 'Quem recebe' }),
  },
  (found: PublicCharge) => ({
    txid: found.charge.txid ?? '',
    qrcode: pixOf(found)?.qrcode ?? null,
    image: imageOf(found),
    status: pixStatus(found),
    valueCents: found.charge.valueCents,
    payee: found.account,
  }),
)

/** Returns the account's charge of an id or code, even if deleted; null if the account has none. */
export const findOwnCharge = async (
  { store, clock, settings: { publicUrl } }: ChargeReader,
  accountId: number,
  idOrCode: string,
): Promise<ChargeWithIssuer | null> => {
  const id = parseId(idOrCode)
  const charge = await store.find(chargeBy(id === null ? { code: idOrCode } : { id }))
  if (charge?.accountId !== accountId) return null
  const { client, issuer } = await store.read({
    client: byId(clients, charge.clientId),
    issuer: byId(users, charge.createdBy),
  })
  return client && { charge, client, createdBy: shownIssuer(issuer), asOf: clock.steady(), publicUrl }
}

const shownIssuer = (user: User | null): ChargeWithIssuer['createdBy'] => user && { id: user.id, name: user.name }
