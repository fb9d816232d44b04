import { formatDay, type Instant, localDateTime } from '../../kernel/values/day.ts'
import { formatReais } from '../../kernel/values/money.ts'
import type { Told } from '../office/notifications.ts'
import type { Commission } from '../records/commission.ts'
import type { Contract } from '../records/contract.ts'
import type { Payment } from '../records/payment.ts'
import type { Proposal } from '../records/proposal.ts'
import type { Visit } from '../records/visit.ts'

/** What is told of something, whoever is told. */
export type Text = Pick<Told, 'type' | 'title' | 'message' | 'resourceType' | 'resourceId'>

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
