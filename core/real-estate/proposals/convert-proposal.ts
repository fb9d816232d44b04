import { failure, isLeft, left } from '../../failure.ts'
import { type DecodedOf, type InputOf, input, pick, rule } from '../../kernel/input/input.ts'
import { accept, type Fresh, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Store } from '../../ports/store.ts'
import { lasts, type SentContract } from '../contracts/contract-inputs.ts'
import { decideContract, readContractFacts } from '../contracts/write-contract.ts'
import { limitsOf } from '../reads.ts'
import type { Actor, RealEstatePorts } from '../real-estate-ports.ts'
import { contractFields } from '../records/contract.ts'
import type { Proposal } from '../records/proposal.ts'
import { findProposal } from './read-proposals.ts'
import { EXPIRED, isExpired, UNKNOWN } from './write-proposals.ts'

/** The terms of a contract that its proposal does not contain. */
export const conversion = input(
  'Conversion',
  pick(
    contractFields,
    ...(['startDate', 'endDate', 'dueDay', 'indexer', 'indexerPercentage', 'valueCents', 'documentUrl'] as const),
  ),
  rule(['startDate', 'endDate'], lasts),
)

export type Conversion = InputOf<typeof conversion>
type SentConversion = DecodedOf<typeof conversion>

const NOT_APPROVED = failure('conflict', 'proposal.not-approved')
const CONVERTED = failure('conflict', 'proposal.converted')

const contractOf = (
  { id: proposalId, type, propertyId, clientId, brokerId }: Proposal,
  agreed: SentConversion,
): SentContract => ({
  ...agreed,
  ...{ type, propertyId, clientId, brokerId, proposalId },
  finePercentage: null,
  interestPercentage: null,
  discountValueCents: null,
  administrationPercentage: null,
  terminationFineCents: null,
  allowNegativeAdjustment: false,
})

const unconvertible = (of: Proposal, steady: string) => {
  if (of.isConverted) return CONVERTED
  if (of.status !== 'Approved') return NOT_APPROVED
  return isExpired(of, steady) ? EXPIRED : null
}

const decideConversion = (found: Awaited<ReturnType<typeof readConversion>>, by: Actor, fresh: Fresh) => {
  if (!found) return left(UNKNOWN)
  const { offer, sent, facts } = found
  const refused = unconvertible(offer, fresh.steady)
  if (refused) return left(refused)
  const made = decideContract({ ...facts, offer }, by, sent, fresh)
  return isLeft(made) ? made : accept(made.right.detail, ...made.right.changes)
}

const readConversion = async (store: Store, actor: Actor, id: string, agreed: SentConversion) => {
  const found = await findProposal(store, await limitsOf(store, actor), id)
  if (!found) return null
  const sent = contractOf(found.proposal, agreed)
  return { offer: found.proposal, sent, facts: await readContractFacts(store, actor, sent) }
}

export const convertProposal = (ports: RealEstatePorts) => (actor: Actor, id: string, given: Conversion) =>
  withValidInput(ports, conversion, given, (agreed) =>
    useCase(
      ports,
      (store) => readConversion(store, actor, id, agreed),
      (found, fresh) => decideConversion(found, actor, fresh),
    ),
  )
