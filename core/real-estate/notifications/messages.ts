import { eq } from '../../kernel/records/record.ts'
import { formatDay, formatMoment } from '../../kernel/values/day.ts'
import { formatReais } from '../../kernel/values/money.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import type { NewNotification, NotificationType } from '../office.ts'
import { listOfCompany } from '../reads.ts'
import { may, type Role } from '../real-estate-ports.ts'
import type { Commission } from '../records/commission.ts'
import type { Contract } from '../records/contract.ts'
import { monthText } from '../records/fields.ts'
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
  const sort = { by: 'createdAt', dir: 'asc' } as const
  const inRole = (role: Role) => listOfCompany(store, users, companyId, { where: eq('role', role), when: 'live', sort })
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

const textOf =
  <R extends { readonly id: string }>(
    type: NotificationType,
    resourceType: NewNotification['resourceType'],
    title: string,
    messageOf: (record: R) => string,
  ) =>
  (record: R): Text => ({ type, title, message: messageOf(record), resourceType, resourceId: record.id })

const PAYMENTS = {
  Rent: 'O aluguel',
  Condo: 'O condomínio',
  IPTU: 'O IPTU',
  Fine: 'A multa',
  Expense: 'A despesa',
} as const

export const newProposal = textOf<Proposal>(
  'NewProposal',
  'Proposal',
  'Nova proposta',
  ({ type, clientName, proposedValueCents, propertyCode }) =>
    `${clientName} propôs ${formatReais(proposedValueCents)} pela ${type === 'Lease' ? 'locação' : 'compra'} do imóvel ${propertyCode}.`,
)

export const proposalApproved = textOf<Proposal>(
  'ProposalApproved',
  'Proposal',
  'Proposta aprovada',
  ({ clientName, proposedValueCents, propertyCode }) =>
    `A proposta de ${clientName} de ${formatReais(proposedValueCents)} pelo imóvel ${propertyCode} foi aprovada.`,
)

export const visitConfirmed = textOf<Visit>(
  'VisitConfirmed',
  'Visit',
  'Visita confirmada',
  ({ clientName, propertyCode, scheduledAt }) =>
    `A visita de ${clientName} ao imóvel ${propertyCode} em ${formatMoment(scheduledAt)} foi confirmada.`,
)

const commissionText = ({ valueCents, propertyCode }: Commission): string =>
  `Sua comissão${valueCents === null ? '' : ` de ${formatReais(valueCents)}`} pelo contrato do imóvel ${propertyCode}`

export const commissionApproved = textOf<Commission>(
  'CommissionApproved',
  'Commission',
  'Comissão aprovada',
  (commission) => `${commissionText(commission)} foi aprovada.`,
)

export const commissionPaid = textOf<Commission>(
  'CommissionPaid',
  'Commission',
  'Comissão paga',
  (commission) => `${commissionText(commission)} foi paga.`,
)

export const contractExpiry = textOf<Contract>(
  'ContractExpiry',
  'Contract',
  'Contrato próximo do fim',
  ({ clientName, propertyCode, endDate }) =>
    `O contrato de ${clientName} para o imóvel ${propertyCode} termina em ${formatDay(endDate)}.`,
)

export const paymentDefault = textOf<Payment>(
  'PaymentDefault',
  'Payment',
  'Pagamento em atraso',
  ({ type, period, clientName, propertyCode, valueCents, dueDate }) =>
    `${PAYMENTS[type]} de ${monthText(period)} de ${clientName} (imóvel ${propertyCode}), de ${formatReais(valueCents)}, venceu em ${formatDay(dueDate)}.`,
)
