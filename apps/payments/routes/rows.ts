import type { AnyRow } from '../../http/row.ts'
import { accountRows } from './access/legacy/account.ts'
import { apiTokenRows } from './access/legacy/api-tokens.ts'
import { legacyAuthRows } from './access/legacy/authentication.ts'
import { legacyCodeRows } from './access/legacy/codes.ts'
import { managerUserRows } from './access/legacy/manager-users.ts'
import { notificationRows } from './access/legacy/notifications.ts'
import { roleRows } from './access/legacy/roles.ts'
import { sessionRows } from './access/legacy/sessions.ts'
import { webhookNotificationRows } from './access/legacy/webhook-notifications.ts'
import { logoRows } from './access/logo.ts'
import { passwordRows } from './access/onboarding/password.ts'
import { registerFullRow } from './access/onboarding/register-full.ts'
import { registrationRows } from './access/onboarding/registrations.ts'
import { authenticationRows } from './access/v1/authentication.ts'
import { clientRows } from './access/v1/clients.ts'
import { codeRows } from './access/v1/codes.ts'
import { organizationRows } from './access/v1/organizations.ts'
import { userRows } from './access/v1/users.ts'
import { chargeRows } from './charges.ts'
import { consolidationRows } from './consolidation.ts'
import { publicRows } from './public.ts'

/** Every route of the payments app; the fake bank's desk comes on top where there is one. */
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
