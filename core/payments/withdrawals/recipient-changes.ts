import { isLeft, left, map, right } from '../../failure.ts'
import { type InputOf, input } from '../../kernel/input/mod.ts'
import { always, remove } from '../../kernel/records/record.ts'
import { accept, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { byId, byKey } from '../../ports/store.ts'
import { accounts, checkTakesWrites, isExisting, writableAccount } from '../accounts/account.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { findKeyOwner, type KeyOwner } from './key-lookup.ts'
import { NO_RECIPIENT, newRecipient, paidParties, type Recipient, recipientKey, recipients } from './recipients.ts'
import { keyField, type Receiver } from './withdrawal.ts'

export const recipientInput = input('NewRecipient', { key: keyField })

export type NewRecipient = InputOf<typeof recipientInput>

/** Stores the owner of a Pix key as a recipient without a transfer. A known recipient is returned unchanged. */
export const addRecipient =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: NewRecipient) =>
    withValidInput(ports, recipientInput, given, ({ key }) =>
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
            return accept<Recipient>(added.recipient, checkTakesWrites(accountId), ...added.changes)
          },
        )(hooks)
      }),
    )

/** Its withdrawals stay; a further one stores it anew. */
export const removeRecipient = (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId'>, id: number) =>
  useCase(
    ports,
    (store) => store.find(byId(recipients, id)),
    (found) =>
      found?.accountId === actor.accountId ? accept(null, remove(recipients, id, always)) : left(NO_RECIPIENT),
  )
