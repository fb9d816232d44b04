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
import { chargeRows } from './charges/charges.ts'
import { publicRows } from './charges/public.ts'
import { clientRows } from './customers/clients.ts'
import { notificationRows } from './inbox/notifications.ts'
import { registerFullRow } from './registrations/register-full.ts'
import { registrationRows } from './registrations/registrations.ts'
import { consolidationRows } from './statements/consolidation.ts'
import { webhookNotificationRows } from './webhooks/webhook-notifications.ts'

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
  ...accountRows,
  ...logoRows,
  ...chargeRows,
  ...publicRows,
  ...consolidationRows,
  ...webhookNotificationRows,
]
