import { failure } from '../../failure.ts'
import { left, right } from '../../fp.ts'
import { nullable, required } from '../../kernel/input/codec.ts'
import { id } from '../../kernel/input/fields/numbers.ts'
import { shown } from '../../kernel/input/fields/shown.ts'
import { line } from '../../kernel/input/fields/texts.ts'
import { type GivenFor, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { view } from '../../kernel/input/view.ts'
import { checked } from '../../kernel/running/checked.ts'
import { readUseCase } from '../../kernel/running/read-use-case.ts'
import { type UseCase, useCaseOf } from '../../kernel/running/use-case.ts'
import { dayOf } from '../../kernel/values/day.ts'
import { recordId } from '../../kernel/values/record-id.ts'
import { byId } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import { logoUrl } from '../accounts/settings/logo-url.ts'
import type { Actor } from '../actor.ts'
import { users } from '../members/user.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { chargeView, pixCodeOf } from './charge-view.ts'
import { type ChargeDetail, findCharge } from './find-charge.ts'

/** The account's charge of this id or code, deleted ones too. Fails: `charge.unknown`, for another account's too. */
export const readCharge =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, idOrCode: string) =>
    readUseCase('charge.unknown', async () => {
      const id = recordId(idOrCode)
      const detail = await findCharge(ports, id === null ? { code: idOrCode } : { id })
      return detail?.charge.accountId === accountId ? detail : null
    })

/** A charge with who made it. */
export interface FullCharge extends ChargeDetail {
  readonly createdBy: { readonly id: number; readonly name: string } | null
}

export const readFullCharge =
  (ports: PaymentsPorts) =>
  (detail: ChargeDetail): UseCase<FullCharge, never> =>
  async () => {
    const user = await ports.store.find(byId(users, detail.charge.createdBy))
    return right({ ...detail, createdBy: user && { id: user.id, name: user.name } })
  }

const issuerView = view(
  'ChargeIssuer',
  { id: id({ about: 'Identificador' }), name: line({ max: 255, about: 'Nome' }) },
  (issuer: NonNullable<FullCharge['createdBy']>) => issuer,
)

/** A charge with its details. Source: 02-billing.md, Charge. */
export const fullChargeView = view(
  'FullCharge',
  {
    ...chargeView.table,
    tag: shown.nothing({ about: 'Etiqueta' }),
    issuer: nullable(shown.view(issuerView, { wire: 'createdBy', about: 'Quem emitiu' })),
  },
  (detail: FullCharge) => ({ ...chargeView.of(detail), tag: null, issuer: detail.createdBy }),
)

/** Whom a charge pays. */
export type Payee = Pick<Account, 'name' | 'email' | 'document'>

/** A charge as a payer may see it: with whom it is to be paid, and its code drawn. */
export interface PublicCharge extends ChargeDetail {
  readonly account: Payee
  readonly logoUrl: string | null
  /** The QR code as PNG, or null while there is none. */
  readonly qrPng: Uint8Array | null
}

/** By which code a payer asks for a charge. */
export const publicCode = input('PublicCode', { code: required(inQuery.text({ about: 'Código da cobrança' })) })

/** By what a payer finds a charge: its code, or its Pix's txid. */
export type PublicChargeKey = GivenFor<typeof publicCode> | { readonly txid: string }

/**
 * A charge for its payer, by its code or its Pix's txid; a deleted one is not there.
 * Fails: `fields`, `charge.unknown`. Source: 02-billing.md, Public payer routes; decisions.md §9.
 */
export const readPublicCharge = (ports: PaymentsPorts) => (by: PublicChargeKey) =>
  isByTxid(by) ? publicChargeOf(ports, by) : checked(ports, publicCode, by, (code) => publicChargeOf(ports, code))

const isByTxid = (by: object): by is { readonly txid: string } => 'txid' in Object(by)

const publicChargeOf = (ports: PaymentsPorts, by: PublicChargeKey) =>
  useCaseOf<PublicCharge>()(async () => {
    const detail = await findCharge(ports, by)
    const account = detail && (await ports.store.find(byId(accounts, detail.charge.accountId)))
    if (!detail || !account || detail.charge.status === 'DELETED') return left(failure('not-found', 'charge.unknown'))
    const code = pixCodeOf(detail.charge, dayOf(detail.asOf))
    const qrPng = code === null ? null : await ports.qrRenderer.qrPng(code)
    const { name, email, document } = account
    return right({ ...detail, account: { name, email, document }, logoUrl: logoUrl(ports.settings, account), qrPng })
  })
