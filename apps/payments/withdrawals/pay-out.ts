import { invalid, isLeft, issue, left } from '../../../core/failure.ts'
import { type AnyView, input } from '../../../core/kernel/input/mod.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import { type UseCase, useCaseOf } from '../../../core/kernel/running/use-case.ts'
import { pinFields } from '../../../core/payments/accounts/account.ts'
import { confirmationFields } from '../../../core/payments/withdrawals/confirm.ts'
import { accountPaymentFields } from '../../../core/payments/withdrawals/direct-payment.ts'
import type { WithdrawalDetail } from '../../../core/payments/withdrawals/views.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { Wording } from '../../http/replies/messages.ts'
import type { AnyRow, Stage } from '../../http/rows/row.ts'
import { type MemberCall, pinErrors, pinPrecondition } from '../accounts.ts'
import { INACTIVE, route } from '../api.ts'
import {
  accountPaymentExample,
  accountWithdrawalExample,
  DONE,
  messageOf,
  pendingStatus,
  recordView,
} from './withdrawal-views.ts'

/** Checks that the organization is active, then the PIN. */
const payOutPrecondition = {
  fields: pinPrecondition.fields,
  pass: (call: MemberCall, sent: unknown) =>
    useCaseOf<null>()(async () =>
      call.actor.account.status === 'ACTIVE' ? pinPrecondition.pass(call, sent)() : left(INACTIVE),
    ),
}

/** The body is validated before the PIN is checked. */
const PAY_OUT_STAGES: readonly Stage[] = [
  'context',
  'permission',
  'key',
  'input',
  'accountWritable',
  'precondition',
  'record',
]

/** The common parts of the rows that pay out. */
export const payOutRow = {
  dialect: 'withdrawal',
  auth: 'account',
  methods: ['POST'],
  permission: 'withdrawals:write',
  stages: PAY_OUT_STAGES,
  precondition: payOutPrecondition,
  resume: ({ core }: MemberCall, intent: string) => core.withdrawals.resume(intent),
} as const

// The core receives the input without the PIN, which the precondition has checked.
const confirmationForm = input('ConfirmedWithdrawal', { ...confirmationFields, pin: pinFields.pin })
const accountPaymentForm = input('ConfirmedAccountPayment', { ...accountPaymentFields, pin: pinFields.pin })

/** The hint to an inactive organization, which may issue charges but not pay out. */
export const ONLY_ACTIVE: Wording = {
  hint: 'O dinheiro só sai de uma organização ACTIVE: ative a que está INACTIVE com PUT /v1/organizations/{id} e status ACTIVE.',
}

const bankErrors = {
  'bank.unsupported': {},
  'bank.refused': { status: 422, message: '{reason}' },
  'bank.unavailable': { status: 500 },
} as const

/** The failures of the rows that look up a key. */
export const lookupErrors = {
  'account.unknown': {},
  'organization.inactive': ONLY_ACTIVE,
  'key.throttled': {},
  'key.unknown': {},
  'withdrawal.used': {},
  ...bankErrors,
} as const

/** The failures of the rows that pay out. */
export const payOutErrors = {
  'account.unknown': {},
  'organization.inactive': ONLY_ACTIVE,
  ...pinErrors,
  'second-factor.required': {},
  'withdrawal.unknown': {},
  'withdrawals.waiting': {},
  ...bankErrors,
} as const

/**
 * Names the amount `value` in the failures of a payment (limit, balance, duplicate), whatever its name in the body.
 * Malformed fields were rejected earlier, under the names of the body.
 */
export const nameAmountValue =
  <V, C extends string, I extends string>(useCase: UseCase<V, C, I>): UseCase<V, C | 'fields', I> =>
  async (hooks) => {
    const outcome = await useCase(hooks)
    if (!isLeft(outcome) || outcome.left.tag !== 'invalid') return outcome
    const issues = outcome.left.issues.map(({ path, code, params }) =>
      issue(path === 'valueCents' ? 'value' : path, code, params),
    )
    return left(invalid(issues))
  }

type OwnParts = Pick<AnyRow, 'area' | 'name' | 'paths'>

/** Builds the row that pays a looked-up withdrawal, for each dialect. `paid` is the view of the payment. */
export const confirmRow = (row: OwnParts, paid: AnyView<WithdrawalDetail>, data: Json) =>
  route({
    ...payOutRow,
    ...row,
    summary: 'Paga um saque que foi consultado, com o PIN',
    input: { body: confirmationForm },
    run: ({ core, actor }, { body: { pin: _, ...payment } }) => core.withdrawals.confirm(actor, payment),
    reply: json({ status: 201, otherwise: pendingStatus, view: paid, message: messageOf }),
    errors: { ...payOutErrors, 'withdrawal.used': { status: 409 } },
    example: {
      given: 'lookedUp',
      request: { body: { internal_id: 1, keypix: 'maria@example.com', value: 10, pin: '135790' } },
      data,
      message: DONE,
    },
  })

/** Builds the row that pays to a bank account, for each dialect. `entry` is the view of its entry in the statement. */
export const payAccountRow = (row: OwnParts, entry: AnyView<WithdrawalDetail>, transaction: Json) =>
  route({
    ...payOutRow,
    ...row,
    summary: 'Paga a uma conta em qualquer banco, com o PIN',
    input: { body: accountPaymentForm },
    run: ({ core, actor }, { body: { pin: _, ...payment } }) =>
      nameAmountValue(core.withdrawals.payAccount(actor, payment)),
    reply: json({ otherwise: pendingStatus, view: recordView, more: entry, message: messageOf }),
    errors: payOutErrors,
    example: {
      given: 'withdrawer',
      request: { body: accountPaymentExample },
      data: accountWithdrawalExample,
      more: { transaction },
      message: DONE,
    },
  })
