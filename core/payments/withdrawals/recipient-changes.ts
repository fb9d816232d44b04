import { isLeft, left, map, right } from '../../failure.ts'
import { type InputOf, input } from '../../kernel/input/mod.ts'
import { all, always, type Change, eq, not, patch, remove } from '../../kernel/records/record.ts'
import { accept, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { byId, byKey, listOf } from '../../ports/store.ts'
import { accounts, checkAcceptsWrites, isExisting, writableAccount } from '../accounts/account.ts'
import { type Actor, findOwn, type PaymentsPorts } from '../payments-ports.ts'
import { findKeyOwner, type KeyOwner } from './key-lookup.ts'
import {
  NO_RECIPIENT,
  newRecipient,
  type PaidParty,
  paidParties,
  type Recipient,
  recipientKey,
  recipients,
} from './recipients.ts'
import { keyField, type Receiver } from './withdrawal.ts'

export const recipientInput = input('NewRecipient', { key: keyField })
export type NewRecipient = InputOf<typeof recipientInput>

export const addRecipient =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, submitted: NewRecipient) =>
    withValidInput(ports, recipientInput, submitted, ({ key }) =>
      useCaseOf<Recipient>()(async (hooks) => {
        const { store } = ports
        const account = await store.find(byId(accounts, accountId))
        const writable = writableAccount(isExisting(account) ? account : null)
        if (isLeft(writable)) return writable
        const destination = recipientKey(accountId, key)
        const known = await store.find(byKey(recipients, 'destination', destination))
        const found = known
          ? right(known)
          : map(({ holder }: KeyOwner): Receiver => ({ ...holder, key }))(
              await findKeyOwner(ports, writable.right, key)(),
            )
        if (isLeft(found)) return found
        const receiver = found.right
        return useCase(
          ports,
          (reading) =>
            reading.read({
              recipient: byKey(recipients, 'destination', destination),
              party: byKey(paidParties, 'document', recipientKey(accountId, receiver.document)),
            }),
          ({ recipient, party }, fresh) => {
            if (recipient) return accept<Recipient>(recipient)
            const added = newRecipient(accountId, receiver, party, 0, fresh)
            return accept<Recipient>(added.recipient, checkAcceptsWrites(accountId), ...added.changes)
          },
        )(hooks)
      }),
    )

export const removeRecipient =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, id: number) =>
    useCase(
      ports,
      async (store) => {
        const recipient = await findOwn(store, recipients, accountId, id)
        if (!recipient) return null
        const { document } = recipient
        const { party, others } = await store.read({
          party: byKey(paidParties, 'document', recipientKey(accountId, document)),
          others: listOf(recipients, {
            where: all(eq('accountId', accountId), eq('document', document), not(eq('id', id))),
            sort: { by: 'lastUsedAt', dir: 'desc' },
            limit: 1,
          }),
        })
        return { party, isLast: others.records.length === 0 }
      },
      (found) => {
        if (!found) return left(NO_RECIPIENT)
        const { party, isLast } = found
        return accept(null, remove(recipients, id, always), ...(party ? [withoutRecipient(party, isLast)] : []))
      },
    )

const withoutRecipient = ({ id, recipientChanges }: PaidParty, isLast: boolean): Change => {
  const when = eq('recipientChanges', recipientChanges)
  return isLast ? remove(paidParties, id, when) : patch(paidParties, id, { add: { recipientChanges: 1 }, when })
}
