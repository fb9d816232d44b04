import { isLeft } from '../../fp.ts'
import type { DecodedOf } from '../../kernel/input/input.ts'
import { accept, useCase } from '../../kernel/running/use-case.ts'
import type { Actor } from '../actor.ts'
import { recordEvent } from '../office/events.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { broker } from '../records/broker.ts'
import { type BrokerDetail, withFigures, withoutFigures } from './broker-view.ts'

/** Replaces what is told of a broker; who holds a copy of their name hears of another one. */
export const replaceBroker =
  (ports: RealEstatePorts) =>
  ({ companyId }: Pick<Actor, 'companyId'>, id: string, sent: DecodedOf<typeof broker.createInput>) =>
    useCase(
      ports,
      async (store) => {
        const facts = await broker.readFacts(store, companyId, id, sent)
        const [shown] = await withFigures(store, companyId, facts.record ? [facts.record] : [])
        return { facts, shown }
      },
      ({ facts, shown }, fresh) => {
        const made = broker.update(facts, sent, fresh)
        if (isLeft(made)) return made
        const { record, changes } = made.right
        const told = { companyId, subjectId: id, type: 'broker.renamed' as const, data: { name: record.name } }
        const renamed = record.name === facts.record?.name ? [] : [recordEvent(fresh, told)]
        return accept<BrokerDetail>({ ...(shown ?? withoutFigures(record)), ...record }, ...changes, ...renamed)
      },
    )
