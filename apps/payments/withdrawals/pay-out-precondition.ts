import { failure } from '../../../core/failure.ts'
import { left } from '../../../core/fp.ts'
import { useCaseOf } from '../../../core/kernel/running/use-case.ts'
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
