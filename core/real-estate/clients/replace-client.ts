import { type Failure, failure } from '../../failure.ts'
import { isLeft, left } from '../../fp.ts'
import type { DecodedOf } from '../../kernel/input/input.ts'
import { accept, useCase } from '../../kernel/running/use-case.ts'
import { byKey, type Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { recordEvent } from '../office/events.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { type Client, client, clients } from '../records/client.ts'
import { revisionOf, sameRevision } from '../records/fields.ts'
import { type User, users } from '../records/user.ts'
import type { newClient } from './new-client.ts'

type By = Pick<Actor, 'companyId' | 'role'>
type Sent = DecodedOf<typeof newClient>

const LINKED: Failure<'client.email.linked', never> = failure('forbidden', 'client.email.linked')

/** The users of the company with the client's e-mail and with the e-mail that replaces it. */
interface Holders {
  readonly before: User | null
  readonly after: User | null
}

const readHolders = async (store: Store, companyId: string, record: Client | null, sent: Sent): Promise<Holders> => {
  if (!record || record.email === sent.email) return { before: null, after: null }
  const find = async (email: string) => {
    const found = await store.find(byKey(users, 'email', email))
    return found?.companyId === companyId ? found : null
  }
  return { before: await find(record.email), after: await find(sent.email) }
}

/** The user whose client it is: by the stored link, else by the e-mail. */
const linkOf = ({ linkedUserId }: Client, { before }: Holders): string | null => {
  if (linkedUserId !== null) return linkedUserId
  const hasClients = before?.role === 'Owner' || before?.role === 'Tenant'
  return hasClients && before.emailUnproven !== true ? before.id : null
}

/**
 * Replaces what is told of a client; records that copy its name follow. A client's e-mail gives an Owner or a Tenant access to
 * its properties and contracts, so that another e-mail neither moves nor ends a link, and only an Admin changes an e-mail that
 * links or sets one of a user of the company.
 */
export const replaceClient =
  (ports: RealEstatePorts) =>
  ({ companyId, role }: By, id: string, sent: Sent) =>
    useCase(
      ports,
      async (store) => {
        const facts = await client.readFacts(store, companyId, id, sent)
        return { facts, holders: await readHolders(store, companyId, facts.record, sent) }
      },
      ({ facts, holders }, fresh) => {
        const { record: before } = facts
        const isMoved = before !== null && before.email !== sent.email
        const linkedUserId = before && (isMoved ? linkOf(before, holders) : before.linkedUserId)
        if (role !== 'Admin' && isMoved && (linkedUserId !== null || holders.after !== null)) return left(LINKED)
        const more = { linkedUserId, ...revisionOf(before, sent, ['name', 'phone'], fresh) }
        const made = client.update(facts, sent, fresh, more)
        if (isLeft(made)) return made
        const { record, changes } = made.right
        const isRenamed = record.name !== before?.name
        const told = { companyId, subjectId: id, type: 'client.renamed' as const, data: { name: record.name } }
        const renamed = isRenamed ? [recordEvent(fresh, told)] : []
        return accept(record, ...sameRevision(clients, before), ...changes, ...renamed)
      },
    )
