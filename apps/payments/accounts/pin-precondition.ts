import { pick } from '../../../core/kernel/input/table.ts'
import type { Member } from '../../../core/payments/access/authenticate.ts'
import { pinFields } from '../../../core/payments/accounts/account.ts'
import type { Payments } from '../../../core/payments/payments.ts'

const pinOf = (sent: unknown): unknown =>
  typeof sent === 'object' && sent !== null && 'pin' in sent ? sent.pin : undefined

/** What asks for the account's PIN before it says anything of the rest of the body. Source: decisions.md §12, Validation. */
export const pinPrecondition = {
  fields: pick(pinFields, 'pin'),
  pass: ({ core, actor }: { readonly core: Payments; readonly actor: Member }, sent: unknown) =>
    core.accounts.checkPin(actor, pinOf(sent)),
}
