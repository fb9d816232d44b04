import { failure, invalid, issue } from '../../../core/failure.ts'
import { isLeft, left } from '../../../core/fp.ts'
import { type UseCase, useCaseOf } from '../../../core/kernel/running/use-case.ts'
import type { Member } from '../../../core/payments/access/authenticate.ts'
import type { Payments } from '../../../core/payments/payments.ts'
import type { Wording } from '../../http/replies/messages.ts'
import type { Stage } from '../../http/rows/row.ts'
import { pinPrecondition } from '../accounts.ts'

const INACTIVE = failure('forbidden', 'organization.inactive')

interface ByMember {
  readonly core: Payments
  readonly actor: Member
}

/** Money leaves an active organization alone, and with its PIN. Source: decisions.md §1 and §11, Withdrawals. */
export const payOutPrecondition = {
  fields: pinPrecondition.fields,
  pass: (call: ByMember, sent: unknown) =>
    useCaseOf<null>()(async () =>
      call.actor.account.status === 'ACTIVE' ? pinPrecondition.pass(call, sent)() : left(INACTIVE),
    ),
}

/** What is wrong with a body is said before its PIN is looked at. Source: decisions.md §11, Withdrawals. */
export const PAY_OUT_STAGES: readonly Stage[] = [
  'context',
  'permission',
  'key',
  'input',
  'accountWritable',
  'precondition',
  'record',
]

/** The refusal of a route by which money leaves: a new organization is INACTIVE, and can issue charges. */
export const ONLY_ACTIVE: Wording = {
  hint: 'O dinheiro só sai de uma organização ACTIVE: ative a que está INACTIVE com PUT /v1/organizations/{id} e status ACTIVE.',
}

const REFUSED: Wording = { status: 422, message: '{reason}' }
const AWAY: Wording = { status: 500 }

/** How the bank's answers are told. Source: decisions.md §5 and §11. */
const bankErrors = { 'bank.unsupported': {}, 'bank.refused': REFUSED, 'bank.unavailable': AWAY } as const

/** What every row that looks a key up may say. */
export const lookupErrors = {
  'account.unknown': {},
  'organization.inactive': ONLY_ACTIVE,
  'key.throttled': {},
  'key.unknown': {},
  'withdrawal.used': {},
  ...bankErrors,
} as const

/** What every row that pays out may say. */
export const payOutErrors = {
  'account.unknown': {},
  'organization.inactive': ONLY_ACTIVE,
  'pin.missing': {},
  'pin.none': {},
  'pin.locked': {},
  'pin.wrong': {},
  'withdrawal.unknown': {},
  'withdrawals.waiting': {},
  ...bankErrors,
} as const

/**
 * What limits, balance and repetition say of an amount is said of `value`, whatever the row calls it: what is malformed is named
 * as it was sent, and was refused before. Source: decisions.md §11, Withdrawals.
 */
export const namedValue =
  <V, C extends string, I extends string>(run: UseCase<V, C, I>): UseCase<V, C | 'fields', I> =>
  async (hooks) => {
    const outcome = await run(hooks)
    if (!isLeft(outcome) || outcome.left.tag !== 'invalid') return outcome
    const issues = outcome.left.issues.map(({ path, code, params }) =>
      issue(path === 'valueCents' ? 'value' : path, code, params),
    )
    return left(invalid(issues))
  }
