import type { AnyRow } from '../http/rows/row.ts'
import { authenticationRows } from './access/authentication.ts'
import { invitationRows } from './access/invitations.ts'
import { brokerRows } from './brokers/brokers.ts'
import { calendarRows } from './calendar/calendar.ts'
import { clientRows } from './clients/clients.ts'
import { commissionRows } from './commissions/commissions.ts'
import { paymentAccountRows } from './company/payment-account.ts'
import { condominiumRows } from './condominiums/condominiums.ts'
import { contractRows } from './contracts/contracts.ts'
import { dashboardRow } from './dashboard/dashboard.ts'
import { feedRows } from './feed/feed.ts'
import { fileRows } from './files/files.ts'
import { importRows } from './imports/imports.ts'
import { notificationRows } from './notifications/notifications.ts'
import { ownerRows } from './owners/owners.ts'
import { propertyRows } from './properties/properties.ts'
import { proposalRows } from './proposals/proposals.ts'
import { chargeRows } from './rents/charges.ts'
import { paymentRows } from './rents/payments.ts'
import { rentRows } from './rents/rents.ts'
import { visitRows } from './visits/visits.ts'

/** Every route of the real-estate app. */
export const rows: readonly AnyRow[] = [
  ...authenticationRows,
  ...invitationRows,
  ...propertyRows,
  ...feedRows,
  ...clientRows,
  ...importRows,
  ...contractRows,
  ...proposalRows,
  ...paymentRows,
  ...rentRows,
  ...chargeRows,
  ...paymentAccountRows,
  ...ownerRows,
  ...commissionRows,
  dashboardRow,
  ...visitRows,
  ...calendarRows,
  ...notificationRows,
  ...fileRows,
  ...condominiumRows,
  ...brokerRows,
]
