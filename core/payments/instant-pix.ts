import { failure, isLeft, left, right } from '../failure.ts'
import {
  alphanumeric,
  type DecodedOf,
  email,
  type InputOf,
  input,
  inQuery,
  line,
  money,
  nullIfAbsent,
  pageFields,
  pick,
} from '../kernel/input/mod.ts'
import { all, eq, isIn } from '../kernel/records/record.ts'
import {
  accept,
  finishOperation,
  operationUseCase,
  startOperation,
  useCaseOf,
  withValidInput,
} from '../kernel/running/use-case.ts'
import { parseId } from '../kernel/values/text.ts'
import { MAX_PAGE } from '../limits.ts'
import { byId, listOf, listPage, NEWEST_FIRST, type Page, type PageOf } from '../ports/store.ts'
import { accounts, UNKNOWN_ACCOUNT } from './accounts/account.ts'
import { chargeFields, charges, ofCharge } from './charges/charge.ts'
import { type ChargeDetail, findCharge, NO_CHARGE, pixOf, withClients } from './charges/detail.ts'
import {
  type ChargeRequest,
  decideCharge,
  type Issuer,
  readChargeFacts,
  resumeCharge,
  sendCharge,
} from './charges/issue.ts'
import { PAYEE_CITY, titleResult } from './charges/titles.ts'
import { UNNAMED_PAYER } from './customers/client.ts'
import { type Entry, entries, PAYMENT_TYPE_IDS } from './ledger/ledger.ts'
import type { Actor, PaymentsModule, PaymentsPorts } from './payments-ports.ts'
import { MAX_STATIC_TXID, staticPixCode } from './pix/br-code.ts'
import { openTxidOf } from './pix/pix-id.ts'

export const newInstantPix = input('NewInstantPix', {
  valueCents: money({ wire: 'amount', minCents: 1, about: 'Valor' }),
  ...pick(chargeFields, 'webhook'),
  name: nullIfAbsent(line({ max: 100, about: 'Nome de quem paga' })),
  email: nullIfAbsent(email({ max: 100, about: 'E-mail de quem paga' })),
  document: nullIfAbsent(alphanumeric({ max: 20, about: 'Documento de quem paga' })),
  phone: nullIfAbsent(line({ max: 20, about: 'Telefone de quem paga' })),
})
type PixRequest = DecodedOf<typeof newInstantPix>

const payerOf = ({ name, email: address, document, phone }: PixRequest): ChargeRequest['payer'] =>
  name === null || address === null || document === null ? UNNAMED_PAYER : { name, email: address, document, phone }

export type NewInstantPix = InputOf<typeof newInstantPix>

/** Issues a Pix charge that is due today. */
const issuePix = (ports: PaymentsPorts) => (actor: Issuer, sent: NewInstantPix) =>
  withValidInput(ports, newInstantPix, sent, (pix) => {
    const { valueCents, webhook } = pix
    const payer = payerOf(pix)
    const plain = { valueCents, webhook, payer, paymentMethod: 'PIX', isInstant: true } as const
    return operationUseCase(
      startOperation(
        ports,
        (store) => readChargeFacts(ports, store, actor, plain),
        (facts, fresh) => decideCharge(ports, facts, actor, { ...plain, dueDate: fresh.today }, fresh),
      ),
      (started) =>
        useCaseOf<PixWithImage>()(async (hooks) => {
          await sendCharge(ports, started, null)()
          return outcomeOf(ports, started.intent)(hooks)
        }),
      resumePix(ports),
    )
  })

/** Resumes a Pix that the bank has not answered, by its txid. */
const resumePix = (ports: PaymentsPorts) => (txid: string) =>
  useCaseOf<PixWithImage>()(async (hooks) => {
    await resumeCharge(ports)(txid)()
    return outcomeOf(ports, txid)(hooks)
  })

/** Returns the current Pix with its image, which is stored with the idempotency key. */
const outcomeOf = (ports: PaymentsPorts, txid: string) =>
  finishOperation(
    ports,
    async () => {
      const detail = await findCharge(ports, { txid })
      return detail && withQrImage(ports, detail)
    },
    (found) => {
      if (!found) return left(NO_CHARGE)
      const result = titleResult(found)
      return accept(isLeft(result) ? result : right(found))
    },
  )

/** A Pix with the image of its code; null while the bank has not answered. */
export interface PixWithImage extends ChargeDetail {
  readonly qrPng: Uint8Array | null
}

const withQrImage = async (
  { qrRenderer }: Pick<PaymentsPorts, 'qrRenderer'>,
  detail: ChargeDetail,
): Promise<PixWithImage> => {
  const code = pixOf(detail)?.qrcode ?? null
  return { ...detail, qrPng: code === null ? null : await qrRenderer.qrPng(code) }
}

const readPix =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, txidOrId: string) =>
    useCaseOf<PixWithImage>()(async () => {
      const id = parseId(txidOrId)
      const detail = await findCharge(ports, id === null ? { txid: txidOrId } : { id })
      const isShown =
        detail?.charge.accountId === accountId &&
        detail.charge.paymentMethod === 'PIX' &&
        detail.charge.status !== 'DELETED'
      return detail && isShown
        ? right(await withQrImage(ports, detail))
        : left(failure('not-found', 'instant-pix.unknown'))
    })

export const instantPixFilter = input('InstantPixFilter', {
  ...pageFields,
  txid: inQuery.text({ about: 'Mostra só este Pix, com o que o pagou: o txid ou o id dele' }),
  id: inQuery.text({ about: 'O mesmo que txid' }),
})
export type InstantPixFilter = InputOf<typeof instantPixFilter>

/** A Pix with the entries of its payments, oldest first. */
export interface PaidPix extends PixWithImage {
  readonly transactions: readonly Entry[]
}

/** A page, or the one requested Pix. */
export type ListedPix = PageOf<PixWithImage> | PaidPix

type Reader = Pick<Actor, 'accountId'>

const listPix = (ports: PaymentsPorts) => (reader: Reader, sent: InstantPixFilter) =>
  withValidInput(ports, instantPixFilter, sent, ({ txid, id, ...page }) =>
    useCaseOf<ListedPix>()(async () => {
      const one = txid ?? id
      if (one === undefined) return right(await pageOf(ports, reader, page))
      const found = await readPix(ports)(reader, one)()
      return isLeft(found) ? found : right({ ...found.right, transactions: await paymentsOf(ports, found.right) })
    }),
  )

const pageOf = async (ports: PaymentsPorts, { accountId }: Reader, page: Page): Promise<PageOf<PixWithImage>> => {
  const listed = await listPage(ports.store, charges, page, {
    where: all(eq('accountId', accountId), eq('paymentMethod', 'PIX')),
    when: 'listed',
    sort: NEWEST_FIRST,
  })
  const records: PixWithImage[] = []
  // One after the other, so that other requests run between the images of a page.
  for (const detail of await withClients(ports, listed.records, ports.clock.steady()))
    records.push(await withQrImage(ports, detail))
  return { ...listed, records }
}

/** Returns the entries of the payments, without fees. */
const paymentsOf = async ({ store }: PaymentsPorts, { charge }: PixWithImage): Promise<readonly Entry[]> => {
  const { records } = await store.list(
    listOf(entries, {
      where: all(ofCharge(charge), isIn('typeId', PAYMENT_TYPE_IDS)),
      sort: { by: 'seq', dir: 'asc' },
      limit: MAX_PAGE,
    }),
  )
  return records
}

/** A code whose payer chooses the amount, and the txid of its payments. */
export interface OpenCode {
  readonly txid: string
  readonly payload: string
}

const readOpenCode =
  ({ store, bank }: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>) =>
    useCaseOf<OpenCode>()(async () => {
      const account = await store.find(byId(accounts, accountId))
      if (!account) return left(UNKNOWN_ACCOUNT)
      const { pixKey: key, name: merchantName, uuid } = account
      const isStatic = bank.can.includes('pix') && bank.txidLength <= MAX_STATIC_TXID
      if (!isStatic || key === null) return left(failure('refused', 'bank.unsupported'))
      const txid = openTxidOf(uuid)
      return right({ txid, payload: staticPixCode({ key, merchantName, merchantCity: PAYEE_CITY, txid }) })
    })

/** Pix charges in the form of the legacy instant payment. */
export const instantPix = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Issues a Pix charge that is due today, with its value in cents. Without name, e-mail and document the payer is
     * recorded as not identified. Fails: as issuing any charge does: `fields`, `account.unknown`,
     * `organization.inactive`, `charge.unknown`, `bank.unsupported`, `card.unsupported`, `bank.refused` and
     * `bank.unavailable` (a failed charge is stored).
     */
    issue: issuePix(ports),
    /**
     * Resumes a Pix that the bank has not answered, by its txid.
     * Fails: `charge.unknown`, `bank.refused`, `bank.unavailable`.
     */
    resume: resumePix(ports),
    /**
     * Reads a Pix charge of the account, by its txid or id, with the image of its code.
     * Fails: `instant-pix.unknown` (another account's, a deleted one, or no Pix).
     */
    read: readPix(ports),
    /**
     * Lists the account's Pix charges, newest first, with the images of their codes. With a txid or id (each accepts
     * both), returns that one with the entries of its payments, without fees. Fails: `fields`, `instant-pix.unknown`.
     */
    list: listPix(ports),
    /**
     * Returns the account's open code, whose payer chooses the amount, and its constant txid. Its payments belong to no
     * charge: `bank.received` accepts them. Fails: `account.unknown`, `bank.unsupported` (only the bank creates codes,
     * or the account has no Pix key).
     */
    openCode: readOpenCode(ports),
  }),
} satisfies PaymentsModule
