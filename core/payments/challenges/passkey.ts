import { failure, left, right } from '../../failure.ts'
import { flag, guid, type InputOf, input, line, nullable, timestamp, view } from '../../kernel/input/mod.ts'
import { always, type Collection, eq, lt, orNull, patch, record, t, word } from '../../kernel/records/record.ts'
import { accept, type Fresh, type UseCase, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { PASSKEY_DEVICES, type PasskeyFacts } from '../../ports/passkeys.ts'
import { byId, type List, listOf, NEWEST_FIRST } from '../../ports/store.ts'
import { auditUser } from '../members/user.ts'
import type { PaymentsPorts, Person } from '../payments-ports.ts'

const passkey = record({
  id: t.string,
  userId: t.number,
  /** The id by which the authenticator names the passkey, in base64url. */
  credentialId: t.string,
  /** In COSE, in base64url. */
  publicKey: t.string,
  /** The number of signatures at the last use; always 0 of an authenticator that does not count. */
  counter: t.number,
  name: t.string,
  /** The connections to the authenticator, as the browser named them: `internal`, `usb`, `hybrid`. */
  transports: t.array(t.string),
  device: word(...PASSKEY_DEVICES),
  isBackedUp: t.boolean,
  createdAt: t.string,
  lastUsedAt: orNull(t.string),
})

/** A passkey of a person: a public key whose private key an authenticator keeps. */
export type Passkey = t.TypeOf<typeof passkey>

/** A passkey without its key. */
export type ShownPasskey = Pick<Passkey, 'id' | 'name' | 'device' | 'isBackedUp' | 'createdAt' | 'lastUsedAt'>

export const passkeys: Collection<Passkey> = {
  name: 'payments.passkeys',
  ids: 'text',
  codec: passkey,
  owner: null,
  keys: { credential: ({ credentialId }) => credentialId },
  indexes: [{ eq: 'userId', sort: 'createdAt', acrossOwners: true }],
}

export const MAX_PASSKEYS = 20

/** Queries the passkeys of a person, newest first. */
export const passkeysOf = (userId: number): List<Passkey> =>
  listOf(passkeys, { where: eq('userId', userId), sort: NEWEST_FIRST, limit: MAX_PASSKEYS })

export const shownPasskey = ({ id, name, device, isBackedUp, createdAt, lastUsedAt }: Passkey): ShownPasskey => ({
  ...{ id, name, device, isBackedUp },
  ...{ createdAt, lastUsedAt },
})

/**
 * Reports whether a counter continues that of the last use. One that does not comes from a copy of the authenticator
 * (WebAuthn Level 3, 7.2). An authenticator that does not count always sends 0.
 */
export const continuesCounter = ({ counter }: Pick<Passkey, 'counter'>, asserted: number): boolean =>
  asserted > counter || (asserted === 0 && counter === 0)

/** Returns the change of a use; of two simultaneous uses with the same counter, one is stale. */
export const usePasskey = ({ id }: Passkey, { counter, isBackedUp }: PasskeyFacts, { now }: Pick<Fresh, 'now'>) =>
  patch(passkeys, id, {
    set: { counter, isBackedUp, lastUsedAt: now },
    when: counter === 0 ? eq('counter', 0) : lt('counter', counter),
  })

/** Returns the changes that record a new, changed or removed name of a passkey in the audit of its person. */
export const auditName = (
  fresh: Fresh,
  by: Caller & Pick<Person, 'origin'>,
  action: 'passkey.added' | 'passkey.renamed' | 'passkey.removed',
  { id, from, to }: { readonly id: string; readonly from: string | null; readonly to: string | null },
) => (from === to ? [] : auditUser(fresh, by, by.userId, action, { [`passkeys.${id}.name`]: { from, to } }))

export const UNKNOWN_PASSKEY = failure('not-found', 'passkey.unknown')

type Caller = Pick<Person, 'userId'>

export const listPasskeys =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  ({ userId }: Caller): UseCase<readonly ShownPasskey[], never> =>
  async () =>
    right((await store.list(passkeysOf(userId))).records.map(shownPasskey))

export const nameFields = { name: line({ max: 100, about: 'Nome, para reconhecer a chave' }) }

export const passkeyName = input('PasskeyName', nameFields)
export type PasskeyName = InputOf<typeof passkeyName>

export const renamePasskey =
  (ports: PaymentsPorts) => (caller: Caller & Pick<Person, 'origin'>, id: string, submitted: PasskeyName) =>
    withValidInput(ports, passkeyName, submitted, ({ name }) =>
      useCase(
        ports,
        (store) => store.find(byId(passkeys, id)),
        (found, fresh) => {
          if (found?.userId !== caller.userId) return left(UNKNOWN_PASSKEY)
          return accept(
            shownPasskey({ ...found, name }),
            patch(passkeys, id, { set: { name }, when: always }),
            ...auditName(fresh, caller, 'passkey.renamed', { id, from: found.name, to: name }),
          )
        },
      ),
    )

export const passkeyView = view(
  'Passkey',
  {
    id: guid({ about: 'Identificador' }),
    ...nameFields,
    isSynced: flag({ wire: 'synced', about: 'Se o aparelho a copia para outros, como faz um gerenciador de senhas' }),
    createdAt: timestamp({ about: 'Quando foi cadastrada' }),
    lastUsedAt: nullable(timestamp({ about: 'Quando foi usada pela última vez' })),
  },
  ({ isBackedUp: isSynced, ...shown }: ShownPasskey) => ({ ...shown, isSynced }),
)
