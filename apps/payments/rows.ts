import type { AnyRow } from '../http/rows/row.ts'
import { codeRows } from './access/codes/codes.ts'
import { legacyCodeRows } from './access/codes/legacy-codes.ts'
import { passwordRows } from './access/codes/password.ts'
import { organizationRows } from './access/organizations.ts'
import { authenticationRows } from './access/sessions/authentication.ts'
import { legacyAuthRows } from './access/sessions/legacy-authentication.ts'
import { sessionRows } from './access/sessions/sessions.ts'
import { apiTokenRows } from './access/team/api-tokens.ts'
import { managerUserRows } from './access/team/manager-users.ts'
import { roleRows } from './access/team/roles.ts'
import { userRows } from './access/team/users.ts'
import { accountRows } from './accounts/account.ts'
import { logoRows } from './accounts/logo.ts'
import { chargeGroupRows } from './billing/charge-groups.ts'
import { paymentPlanRows } from './billing/payment-plans.ts'
import { chargeRows } from './charges/charges.ts'
import { invoiceRows } from './charges/invoices.ts'
import { noticeRows } from './charges/notices.ts'
import { planChargeRows } from './charges/plan-charges.ts'
import { publicRows } from './charges/public.ts'
import { publicChargesRow } from './charges/public-charges.ts'
import { refundRow } from './charges/refunds.ts'
import { chargePageRows } from './checkout/page/charge.ts'
import { payPageRows } from './checkout/page/pay.ts'
import { paymentLinkRows } from './checkout/payment-link.ts'
import { paymentStatusRow } from './checkout/payment-status.ts'
import { clientRows } from './customers/clients.ts'
import { legacyClientRows } from './customers/legacy-clients.ts'
import { diagnosticRows } from './diagnostics/diagnostics.ts'
import { enumerationRows } from './enumerations/enumerations.ts'
import { exportRows } from './exports/exports.ts'
import { receiptRows } from './exports/receipts.ts'
import { notificationRows } from './inbox/notifications.ts'
import { instantPixRows } from './instant-pix/instant-pix.ts'
import { linkRows } from './links/links.ts'
import { registerFullRow } from './registrations/register-full.ts'
import { registrationRows } from './registrations/registrations.ts'
import { reportRows } from './reports/reports.ts'
import { cardSaleRows } from './statements/card-sales.ts'
import { consolidationRows } from './statements/consolidation.ts'
import { extractRows } from './statements/extracts.ts'
import { statisticRows } from './statements/statistics.ts'
import { transferRow } from './transfers/transfers.ts'
import { webhookNotificationRows } from './webhooks/webhook-notifications.ts'
import { deprecatedWithdrawalRows } from './withdrawals/deprecated-withdrawals.ts'
import { legacyWithdrawalRows } from './withdrawals/legacy-withdrawals.ts'
import { paidPartyRows } from './withdrawals/paid-parties.ts'
import { withdrawalReadRows } from './withdrawals/withdrawal-reads.ts'
import { withdrawalRows } from './withdrawals/withdrawals.ts'

/** Every route of the payments app; the fake bank's console comes on top where there is one. */
export const rows: readonly AnyRow[] = [
  ...authenticationRows,
  ...codeRows,
  ...registrationRows,
  registerFullRow,
  ...passwordRows,
  ...legacyAuthRows,
  ...legacyCodeRows,
  ...sessionRows,
  ...managerUserRows,
  ...apiTokenRows,
  ...roleRows,
  ...notificationRows,
  ...organizationRows,
  ...userRows,
  ...clientRows,
  ...legacyClientRows,
  ...accountRows,
  ...logoRows,
  ...chargeRows,
  refundRow,
  ...noticeRows,
  ...invoiceRows,
  ...planChargeRows,
  ...instantPixRows,
  ...withdrawalReadRows,
  ...withdrawalRows,
  ...paidPartyRows,
  ...legacyWithdrawalRows,
  ...deprecatedWithdrawalRows,
  publicChargesRow,
  ...chargeGroupRows,
  ...paymentPlanRows,
  ...publicRows,
  ...linkRows,
  ...paymentLinkRows,
  ...chargePageRows,
  ...payPageRows,
  paymentStatusRow,
  ...reportRows,
  ...consolidationRows,
  ...extractRows,
  ...statisticRows,
  ...cardSaleRows,
  ...exportRows,
  ...receiptRows,
  transferRow,
  ...webhookNotificationRows,
  ...enumerationRows,
  ...diagnosticRows,
]
