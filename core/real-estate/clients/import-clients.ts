import type { Actor } from '../actor.ts'
import { importOf } from '../imports/import-lines.ts'
import { client } from '../records/client.ts'
import { newClient } from './new-client.ts'

/** Makes the clients of a file. */
export const importClients = importOf({
  resource: client,
  created: newClient,
  create: (facts, { companyId }: Pick<Actor, 'companyId'>, sent, fresh) => client.create(facts, companyId, sent, fresh),
})
