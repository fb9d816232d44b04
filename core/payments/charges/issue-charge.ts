import { failure, type Issue, invalid, issue } from '../../failure.ts'
import { left } from '../../fp.ts'
import { insert } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { randomCode } from '../../kernel/running/random-code.ts'
import { decided, operationUseCase, startOperation } from '../../kernel/running/use-case.ts'
import { plusSeconds } from '../../kernel/values/day.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import { fold } from '../../kernel/values/text.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { type Account, accounts, takesWrites } from '../accounts/account.ts'
import type { Actor } from '../actor.ts'
import { reserveUnique } from '../claim.ts'
import { type Client, clients, documentKey, newClient } from '../customers/client.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { MAX_PIX_CENTS } from '../pix/br-code.ts'
import type { RateType } from '../terms/amount-due.ts'
import { discountDayIssues, discountIssues, dueDateIssues } from '../terms/charge-rules.ts'
import { type Charge, charges, type PaymentMethod, pixLapsesAt } from './charge.ts'
import { chargeTerms } from './charge-terms.ts'
import { registerTitle } from './titles/register-title.ts'

/** What is asked for. Rates are hundredths of a percent or of a real; texts are trimmed, documents without marks. */
export interface NewCharge {
  readonly valueCents: number
  readonly paymentMethod: PaymentMethod
  readonly dueDate: string
  /** An existing client, or who is to become one. */
  readonly payer: { readonly clientId: number } | NewPayer
  readonly description?: string | null
  readonly details?: string | null
  readonly instructions?: string | null
  readonly webhook?: string | null
  readonly amountRateHundredths?: number | null
  readonly typeRate?: RateType | null
  readonly discountHundredths?: number | null
  readonly typeDiscount?: RateType | null
  readonly daysDiscount?: number | null
  readonly installments?: number | null
}

export interface NewPayer {
  readonly name: string
  readonly email: string
  readonly document: string
  readonly phone?: string | null
}

/** Who issues it, and for which account. */
type Issuer = Pick<Actor, 'userId' | 'accountId'>

interface Facts {
  readonly account: Account | null
  readonly client: Client | null
}

/** How long the bank may take before the worker asks it again: longer than one call's time-out. */
export const CHARGE_LEASE_SECONDS = 60

const CODE_LENGTH = 22
const TXID_LENGTH = 25

/**
 * Issues a charge and registers its title at the bank.
 * Fails: `fields`, `account.unknown`, `organization.inactive`, `bank.refused` and `bank.unavailable` (a failed charge is kept).
 * Source: 02-billing.md, Charges; decisions.md §3 and §9.
 */
export const issueCharge = (ports: PaymentsPorts) => (actor: Issuer, input: NewCharge) =>
  operationUseCase(
    startOperation(
      ports,
      (store) => readFacts(store, actor, input),
      (facts, fresh) => decideCharge(facts, actor, input, fresh),
    ),
    (id) => registerTitle(ports)(Number(id), 'first'),
  )

const readFacts = (store: Store, { accountId }: Issuer, { payer }: NewCharge): Promise<Facts> =>
  store.read({
    account: byId(accounts, accountId),
    client:
      'clientId' in payer
        ? byId(clients, payer.clientId)
        : byKey(clients, 'document', documentKey(accountId, payer.document)),
  })

/** A pending charge whose title the bank is to be asked for; value: its id. */
export const decideCharge = (facts: Facts, actor: Issuer, input: NewCharge, fresh: Fresh) => {
  const { account } = facts
  if (!account) return left(failure('not-found', 'account.unknown'))
  if (!takesWrites(account)) return left(failure('forbidden', 'organization.inactive'))
  const issues = issuesOf(facts, account, input, fresh)
  if (issues.length > 0) return left(invalid(issues))

  const known = facts.client
  const client = known ?? newClient(fresh, actor.accountId, input.payer as NewPayer)
  const charge = pendingCharge(account, client, actor, input, fresh)
  return decided(
    String(charge.id),
    ...(known ? [] : [insert(clients, client)]),
    insert(charges, charge),
    reserveUnique('code', charge.code, charge.id, actor.accountId),
    reserveUnique('txid', charge.txid, charge.id, actor.accountId),
  )
}

const issuesOf = (facts: Facts, account: Account, input: NewCharge, { today }: Fresh) => {
  const { valueCents, payer, dueDate, discountHundredths = null, typeDiscount = null, daysDiscount = null } = input
  const { chargeMinCents: min, chargeMaxCents: max } = account.limits
  const owned = facts.client?.accountId === account.id && facts.client.removedAt === null
  const wrong = [
    [input.paymentMethod !== 'PIX', issue('payment_method', 'charge.method')],
    [valueCents < 1, issue('value', 'money.min', { min: reaisFromCents(1) })],
    [min !== null && valueCents < min, issue('value', 'money.min', { min: reaisFromCents(min ?? 0) })],
    [max !== null && valueCents > max, issue('value', 'money.max', { max: reaisFromCents(max ?? 0) })],
    [valueCents > MAX_PIX_CENTS, issue('value', 'money.max', { max: reaisFromCents(MAX_PIX_CENTS) })],
    ['clientId' in payer && !owned, issue('client_id', 'unknown')],
  ] satisfies readonly (readonly [boolean, Issue])[]
  return [
    ...dueDateIssues(dueDate, today),
    ...discountDayIssues(dueDate, daysDiscount, today),
    ...discountIssues(valueCents, discountHundredths, typeDiscount),
    ...wrong.filter(([isWrong]) => isWrong).map(([, found]) => found),
  ]
}

const pendingCharge = (account: Account, client: Client, actor: Issuer, input: NewCharge, fresh: Fresh) => {
  const code = randomCode(fresh, CODE_LENGTH)
  const txid = randomCode(fresh, TXID_LENGTH)
  return {
    id: fresh.id(charges),
    accountId: account.id,
    code,
    status: 'pending',
    paymentMethod: input.paymentMethod,
    valueCents: input.valueCents,
    amountPaidCents: null,
    paymentDate: null,
    dueDate: input.dueDate,
    description: input.description ?? null,
    details: input.details ?? null,
    instructions: input.instructions ?? null,
    clientId: client.id,
    webhook: input.webhook ?? null,
    ...chargeTerms(input, account.boletoConfigs),
    installments: input.installments ?? null,
    txid,
    pixKey: account.pixKey,
    pix: null,
    operation: 'create',
    dueAt: plusSeconds(fresh.now, CHARGE_LEASE_SECONDS),
    attempts: 0,
    lapsesAt: pixLapsesAt(input.dueDate),
    failure: null,
    createdBy: actor.userId,
    createdAt: fresh.now,
    createdDay: fresh.today,
    updatedAt: fresh.now,
    search: fold([code, txid, client.document, client.name].filter((text) => text !== null).join('\n')),
  } satisfies Charge
}
