import { plainUseCases } from '../../kernel/resources/plain.ts'
import type { PaymentsModule } from '../payments-module.ts'
import { client } from './client.ts'

/** An account’s clients: who is charged. */
export const clients = {
  collections: [client.collection],
  useCases: plainUseCases(client),
} satisfies PaymentsModule
