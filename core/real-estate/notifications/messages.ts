import { all, eq } from '../../kernel/records/record.ts'
import { formatDay, type Instant, localDateTime } from '../../kernel/values/day.ts'
import { formatReais } from '../../kernel/values/money.ts'
import { MAX_PAGE } from '../../limits.ts'
import { byId, byKey, listAll, listOf, type Store } from '../../ports/store.ts'
import type { NewNotification } from '../office.ts'
import { may, type Role } from '../real-estate-ports.ts'
import type { Commission } from '../records/commission.ts'
import type { Contract } from '../records/contract.ts'
import type { Payment } from '../records/payment.ts'
import { brokers, type User, users } from '../records/people.ts'
import type { Proposal } from '../records/proposal.ts'
import type { Visit } from '../records/visit.ts'

/** Reads the users of a company with one of these roles. */
export const usersInRoles = async (
  store: Pick<Store, 'list'>,
  companyId: string,
  ...roles: readonly Role[]
): Promise<readonly User[]> => {
  const inRole = (role: Role) =>
    listAll(
      store,
      listOf(users, {
        where: all(eq('companyId', companyId), eq('role', role)),
        when: 'live',
        sort: { by: 'createdAt', dir: 'asc' },
        limit: MAX_PAGE,
      }),
    )
  return (await Promise.all(roles.map(inRole))).flat()
}

/**
 * Returns the user with the broker's e-mail in the company, verified or not, if the role may read proposals: a
 * tenant who registers with a broker's e-mail gets no notifications.
 */
export const userOfBroker = async (
  store: Pick<Store, 'find'>,
  companyId: string,
  brokerId: string,
): Promise<User | null> => {
  const broker = await store.find(byId(brokers, brokerId))
  if (broker?.companyId !== companyId) return null
  const user = await store.find(byKey(users, 'email', broker.email))
  const isOfCompany = user?.companyId === companyId && user.removedAt === null
  return isOfCompany && may(user.role, 'proposals:read') ? user : null
}

/** A notification without its recipient. */
export type Text = Pick<NewNotification, 'type' | 'title' | 'message' | 'resourceType' | 'resourceId'>

type Of<R> = (record: R) => Text

const PAYMENTS = {
  Rent: 'O aluguel',
  Condo: 'O condomínio',
  IPTU: 'O IPTU',
  Fine: 'A multa',
  Expense: 'A despesa',
} as const

/** `25/11/2026 às 14:00`, in São Paulo. */
const momentOf = (instant: Instant): string => {
  const [day = '', time = ''] = localDateTime(instant).split(' ')
  return `${formatDay(day)} às ${time.slice(0, 5)}`
}

/** `11/2026`. */
const monthOf = (period: string): string => period.split('-').reverse().join('/')

export const newProposal: Of<Proposal> = ({ id, type, clientName, proposedValueCents, propertyCode }) => ({
  type: 'NewProposal',
  title: 'Nova proposta',
  message: `${clientName} propôs ${formatReais(proposedValueCents)} pela ${type === 'Lease' ? 'locação' : 'compra'} do imóvel ${propertyCode}.`,
  resourceType: 'Proposal',
  resourceId: id,
})

export const proposalApproved: Of<Proposal> = ({ id, clientName, proposedValueCents, propertyCode }) => ({
  type: 'ProposalApproved',
  title: 'Proposta aprovada',
  message: `A proposta de ${clientName} de ${formatReais(proposedValueCents)} pelo imóvel ${propertyCode} foi aprovada.`,
  resourceType: 'Proposal',
  resourceId: id,
})

export const visitConfirmed: Of<Visit> = ({ id, clientName, propertyCode, scheduledAt }) => ({
  type: 'VisitConfirmed',
  title: 'Visita confirmada',
  message: `A visita de ${clientName} ao imóvel ${propertyCode} em ${momentOf(scheduledAt)} foi confirmada.`,
  resourceType: 'Visit',
  resourceId: id,
})

const ofCommission = ({ valueCents, propertyCode }: Commission): string =>
  `Sua comissão${valueCents === null ? '' : ` de ${formatReais(valueCents)}`} pelo contrato do imóvel ${propertyCode}`

export const commissionApproved: Of<Commission> = (commission) => ({
  type: 'CommissionApproved',
  title: 'Comissão aprovada',
  message: `${ofCommission(commission)} foi aprovada.`,
  resourceType: 'Commission',
  resourceId: commission.id,
})

export const commissionPaid: Of<Commission> = (commission) => ({
  type: 'CommissionPaid',
  title: 'Comissão paga',
  message: `${ofCommission(commission)} foi paga.`,
  resourceType: 'Commission',
  resourceId: commission.id,
})

export const contractExpiry: Of<Contract> = ({ id, clientName, propertyCode, endDate }) => ({
  type: 'ContractExpiry',
  title: 'Contrato próximo do fim',
  message: `O contrato de ${clientName} para o imóvel ${propertyCode} termina em ${formatDay(endDate)}.`,
  resourceType: 'Contract',
  resourceId: id,
})

export const paymentDefault: Of<Payment> = ({ id, type, period, clientName, propertyCode, valueCents, dueDate }) => ({
  type: 'PaymentDefault',
  title: 'Pagamento em atraso',
  message: `${PAYMENTS[type]} de ${monthOf(period)} de ${clientName} (imóvel ${propertyCode}), de ${formatReais(valueCents)}, venceu em ${formatDay(dueDate)}.`,
  resourceType: 'Payment',
  resourceId: id,
})
