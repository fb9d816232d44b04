import { isLeft, left, right } from '../../failure.ts'
import {
  clearable,
  type DecodedOf,
  flag,
  type InputOf,
  input,
  money,
  nullable,
  optional,
  view,
} from '../../kernel/input/mod.ts'
import { accept, type Fresh, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import { type Account, accounts, isExisting, UNKNOWN_ACCOUNT } from '../accounts/account.ts'
import { changeAccount, serialByAccount } from '../accounts/change-account.ts'
import { type Challenge, findConfirmation, useConfirmation } from '../challenges/challenge.ts'
import type { AuditActor } from '../office.ts'
import { type Actor, accountRead, type PaymentsPorts } from '../payments-ports.ts'

/** The actions for which an account requires the second factor of its members. */
export interface FactorPolicy {
  readonly isRequired: boolean
  /** A withdrawal or transfer of this value or more requires the factor; null for none. */
  readonly fromCents: number | null
  /** A withdrawal or transfer with which the sum of the day reaches this value requires the factor; null for none. */
  readonly dayFromCents: number | null
}

const isRequiredField = flag({
  wire: 'second_factor_required',
  about: 'Se todo membro precisa do segundo fator para agir na conta',
})
const fromCentsField = money({
  wire: 'second_factor_from',
  minCents: 1,
  about: 'Valor a partir do qual um saque ou uma transferência pede o segundo fator; nulo se nunca',
})
const dayFromCentsField = money({
  wire: 'second_factor_day_from',
  minCents: 1,
  about: 'Soma dos saques e transferências do dia a partir da qual cada um pede o segundo fator; nulo se nunca',
})

/** An omitted field keeps its value; null clears it. */
export const policyChange = input('FactorPolicyChange', {
  isRequired: optional(isRequiredField),
  fromCents: clearable(fromCentsField),
  dayFromCents: clearable(dayFromCentsField),
})
export type FactorPolicyChange = InputOf<typeof policyChange>

const policyOf = (account: Account): FactorPolicy => ({
  isRequired: account.requiresSecondFactor ?? false,
  fromCents: account.secondFactorFromCents,
  dayFromCents: account.secondFactorDayFromCents,
})

export const readPolicy = accountRead('account.unknown', async ({ store }, accountId) => {
  const account = await store.find(byId(accounts, accountId))
  return isExisting(account) ? policyOf(account) : null
})

export const changePolicy =
  (ports: PaymentsPorts) =>
  (actor: Pick<Actor, 'accountId' | 'confirmation'> & PersonAuditActor, submitted: FactorPolicyChange) =>
    withValidInput(ports, policyChange, submitted, (change) =>
      serialByAccount(
        ports.store,
        actor.accountId,
        useCase(
          ports,
          (store) => store.read({ account: byId(accounts, actor.accountId), ...findConfirmation(ports, actor) }),
          (facts, fresh) => decidePolicy(facts, actor, change, fresh),
        ),
      ),
    )

type PersonAuditActor = AuditActor & { readonly userId: number }

const decidePolicy = (
  { account, confirmation }: { readonly account: Account | null; readonly confirmation?: Challenge | null },
  actor: PersonAuditActor,
  { isRequired, fromCents, dayFromCents }: DecodedOf<typeof policyChange>,
  fresh: Fresh,
) => {
  if (!isExisting(account)) return left(UNKNOWN_ACCOUNT)
  const before = policyOf(account)
  const wanted = {
    requiresSecondFactor: isRequired,
    secondFactorFromCents: fromCents,
    secondFactorDayFromCents: dayFromCents,
  }
  const about = { claim: null, by: actor, action: 'account.updated' } as const
  const changed = changeAccount(account, wanted, about, fresh)
  if (isLeft(changed)) return changed
  const after = policyOf(changed.right.account)
  const used = isWeaker(before, after) ? useConfirmation(confirmation, actor.userId, fresh) : right(null)
  if (isLeft(used)) return used
  return accept(after, ...changed.right.changes, ...(used.right ? [used.right] : []))
}

const isWeaker = (before: FactorPolicy, after: FactorPolicy): boolean =>
  (before.isRequired && !after.isRequired) ||
  isRaised(before.fromCents, after.fromCents) ||
  isRaised(before.dayFromCents, after.dayFromCents)

const isRaised = (before: number | null, after: number | null): boolean =>
  before !== null && (after === null || after > before)

export const policyView = view('FactorPolicy', {
  isRequired: isRequiredField,
  fromCents: nullable(fromCentsField),
  dayFromCents: nullable(dayFromCentsField),
})
