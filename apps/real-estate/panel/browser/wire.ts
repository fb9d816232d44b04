import type { Role } from '../../../../core/real-estate/real-estate-ports.ts'

// The fields of replies that the panel reads. Only here is money in reais, not in cents.

export interface Profile {
  readonly name: string
  readonly role: Role
  readonly company: { readonly legalName: string | null }
}

export interface Dashboard {
  readonly properties: Readonly<Record<'total' | 'available' | 'reserved' | 'rented' | 'sold', number>>
  readonly contracts: Readonly<Record<'active' | 'expiringSoon', number>>
  readonly financial: Readonly<
    Record<
      'monthlyRevenue' | 'pendingPayments' | 'pendingValue' | 'defaultedPayments' | 'defaultedValue' | 'defaultRate',
      number
    >
  >
  /** For a broker, only their own record. */
  readonly brokers: readonly { readonly id: string }[]
  readonly proposals: Readonly<Record<'underReview' | 'negotiating' | 'approved' | 'rejected', number>>
  readonly visits: Readonly<Record<'scheduled' | 'confirmed' | 'done', number>>
  readonly revenueByMonth: readonly MonthlyRevenue[]
  readonly generatedAt: string
}

export interface MonthlyRevenue {
  /** `YYYY-MM`. */
  readonly period: string
  readonly value: number
}

export interface PageOf<R> {
  readonly data: readonly R[]
  readonly total: number
}

export interface Contract {
  readonly type: 'Lease' | 'Sale' | 'Management'
  readonly endDate: string
  readonly property: { readonly code: string } | null
  readonly client: { readonly name: string } | null
}

export interface Payment {
  readonly type: 'Rent' | 'Condo' | 'IPTU' | 'Fine' | 'Expense'
  readonly value: number
  /** The part that charges have received. */
  readonly receivedValue: number | null
  readonly dueDate: string
  readonly contract: { readonly client: { readonly name: string }; readonly property: { readonly code: string } }
}

export interface Visit {
  readonly scheduledAt: string
  readonly status: 'Scheduled' | 'Confirmed' | 'Done' | 'Cancelled'
  readonly property: { readonly code: string } | null
  readonly client: { readonly name: string } | null
  readonly broker: { readonly name: string } | null
}

export interface Notification {
  readonly type: string
  readonly title: string
  readonly message: string
  readonly isRead: boolean
  readonly createdAt: string
}
