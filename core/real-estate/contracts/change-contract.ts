import { failure, invalid } from '../../failure.ts'
import { isLeft, left } from '../../fp.ts'
import { type Change, check, patch } from '../../kernel/records/change.ts'
import { always, eq } from '../../kernel/records/where.ts'
import { checked } from '../../kernel/running/checked.ts'
import { decided, useCase } from '../../kernel/running/use-case.ts'
import type { Actor } from '../actor.ts'
import { findOffer } from '../own.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { broker, brokers } from '../records/broker.ts'
import { type Contract, contract, contracts } from '../records/contract.ts'
import { type NewContract, newContract, percentageOf } from './contract-inputs.ts'
import type { ContractDetail } from './contract-view.ts'
import { unknownIn } from './decide-contract.ts'
import { detailOf } from './read-contract.ts'

const UNKNOWN = failure('not-found', 'contract.unknown')
const ENDED = failure('conflict', 'contract.ended')
const BOUND = failure('conflict', 'contract.bound')

const isActive = eq<'status'>('status', 'Active')

/** An active contract is its broker's: another one has one more, and the former one less. */
const brokerChanged = ({ brokerId: before }: Contract, after: string | null): readonly Change[] => {
  if (before === after) return []
  const live = eq<'removedAt'>('removedAt', null)
  return [
    ...(before === null ? [] : [patch(brokers, before, { add: { activeContracts: -1 }, when: always })]),
    ...(after === null ? [] : [patch(brokers, after, { add: { activeContracts: 1 }, when: live })]),
  ]
}

/**
 * Replaces what was agreed in an active contract; of whom and about what it is stays.
 * Fails: `fields` (`unknown` references, `after`), `contract.unknown`, `contract.ended`, `contract.bound`.
 * Source: 03-real-estate.md, Contracts; decisions.md §6 and §10, Fields.
 */
export const replaceContract = (ports: RealEstatePorts) => (actor: Actor, id: string, given: NewContract) =>
  checked(ports, newContract, given, ({ proposalId, ...sent }) =>
    useCase(
      ports,
      async (store) => {
        const { companyId } = actor
        const facts = await contract.read(store, companyId, id, sent)
        return {
          facts,
          detail: facts.record && (await detailOf(store, facts.record)),
          agent: sent.brokerId === null ? null : await broker.find(store, companyId, sent.brokerId),
          offer: await findOffer(store, actor, proposalId),
        }
      },
      ({ facts, detail, agent, offer }, fresh) => {
        const { record } = facts
        if (!record || !detail) return left(UNKNOWN)
        const made = contract.update(facts, { ...sent, indexerPercentage: percentageOf(sent) }, fresh)
        // What it comes from it may go on to name, whoever may see that.
        const named = proposalId === record.proposalId ? null : proposalId
        const unknown = unknownIn(made, named, offer)
        if (isLeft(made) || unknown.length > 0) return left(invalid(unknown))
        if (record.status !== 'Active') return left(ENDED)
        const isSame = (['propertyId', 'clientId', 'type'] as const).every((field) => sent[field] === record[field])
        if (!isSame || named !== null) return left(BOUND)
        return decided<ContractDetail>(
          { ...detail, contract: made.right.record, broker: agent },
          check(contracts, id, isActive),
          ...made.right.changes,
          ...brokerChanged(record, sent.brokerId),
        )
      },
    ),
  )
