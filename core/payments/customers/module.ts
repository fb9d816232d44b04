import type { PaymentsModule } from '../payments-module.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { clients as collection } from './client.ts'
import { createClient } from './create-client.ts'
import { listClients } from './list-clients.ts'
import { readClient } from './read-client.ts'
import { removeClient } from './remove-client.ts'
import { updateClient } from './update-client.ts'

/** An account’s clients: who is charged. */
export const clients = {
  collections: [collection],
  useCases: (ports: PaymentsPorts) => ({
    /** Makes a client of the account. */
    create: createClient(ports),
    /** The account’s clients: a page, or all of them. */
    list: listClients(ports),
    /** One of the account’s clients. */
    read: readClient(ports),
    /** Changes a client; what is left out stays. */
    update: updateClient(ports),
    /** Removes a client. */
    remove: removeClient(ports),
  }),
} satisfies PaymentsModule
