import { isLeft } from '../../fp.ts'
import type { Checked } from '../../kernel/input/input.ts'
import { decided, useCase } from '../../kernel/running/use-case.ts'
import type { Actor } from '../actor.ts'
import { recordEvent } from '../office/events.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { client, clients } from '../records/client.ts'
import { revisionOf, sameRevision } from '../records/fields.ts'
import type { newClient } from './new-client.ts'

/** Replaces what is told of a client; who holds a copy of their name hears of another one. */
export const replaceClient =
  (ports: RealEstatePorts) =>
  ({ companyId }: Pick<Actor, 'companyId'>, id: string, sent: Checked<typeof newClient>) =>
    useCase(
      ports,
      (store) => client.read(store, companyId, id, sent),
      (facts, fresh) => {
        const made = client.update(facts, sent, fresh, revisionOf(facts.record, sent, ['name', 'phone'], fresh))
        if (isLeft(made)) return made
        const { record, changes } = made.right
        const isRenamed = record.name !== facts.record?.name
        const told = { companyId, subjectId: id, type: 'client.renamed' as const, data: { name: record.name } }
        return decided(
          record,
          ...sameRevision(clients, facts.record),
          ...changes,
          ...(isRenamed ? [recordEvent(fresh, told)] : []),
        )
      },
    )
