import { listOwnAccounts } from './accounts/list-own-accounts.ts'
import { openAccount } from './accounts/opening/open-account.ts'
import { resumeOpening } from './accounts/opening/resume-opening.ts'
import { listOrganizations } from './accounts/organizations/list-organizations.ts'
import { removeOrganization } from './accounts/organizations/remove-organization.ts'
import { updateOrganization } from './accounts/organizations/update-organization.ts'
import { addColleague } from './accounts/people/add-colleague.ts'
import { readColleague } from './accounts/people/colleague.ts'
import { readLink } from './accounts/people/link.ts'
import { listColleagues } from './accounts/people/list-colleagues.ts'
import { listLinks } from './accounts/people/list-links.ts'
import { removeColleague } from './accounts/people/remove-colleague.ts'
import { updateColleague } from './accounts/people/update-colleague.ts'
import { checkPin } from './accounts/pin/check-pin.ts'
import { setPin } from './accounts/pin/set-pin.ts'
import { readAccount } from './accounts/read-account.ts'
import { resolveAccount } from './accounts/resolve-account.ts'
import { setTerms } from './accounts/settings/set-terms.ts'
import { updateAccount } from './accounts/settings/update-account.ts'
import { onlyInPerson, ownRecord } from './actor.ts'
import { issueCharge } from './billing/issue-charge.ts'
import { listCharges } from './billing/list-charges.ts'
import { readCharge, readFullCharge, readPublicCharge } from './billing/read-charge.ts'
import { bankInlet } from './billing/titles/bank-inlet.ts'
import { resumeTitle } from './billing/titles/register-title.ts'
import { createClient } from './clients/create-client.ts'
import { listClients } from './clients/list-clients.ts'
import { readClient } from './clients/read-client.ts'
import { removeClient } from './clients/remove-client.ts'
import { updateClient } from './clients/update-client.ts'
import { listDeliveries } from './events/list-deliveries.ts'
import { readDelivery } from './events/read-delivery.ts'
import { replayDelivery } from './events/replay-delivery.ts'
import { openLogo } from './files/open-logo.ts'
import { forgotByLink } from './identity/codes/forgot-by-link.ts'
import { resetByToken } from './identity/codes/reset-by-token.ts'
import { resetPassword } from './identity/codes/reset-password.ts'
import { forgotPassword, sendVerificationCode } from './identity/codes/send-code.ts'
import { checkCodeTries } from './identity/codes/try-code.ts'
import { verifyEmail } from './identity/codes/verify-email.ts'
import { editSelf } from './identity/edit-self.ts'
import { readLegacyMe } from './identity/read-legacy-me.ts'
import { readMe } from './identity/read-me.ts'
import { register } from './identity/register.ts'
import { authenticate } from './identity/sessions/authenticate.ts'
import { exchangeKey } from './identity/sessions/exchange-key.ts'
import { logIn } from './identity/sessions/log-in.ts'
import { logOut } from './identity/sessions/log-out.ts'
import { endOwnSession, listOwnSessions, readOwnSession } from './identity/sessions/own-sessions.ts'
import { readRefreshToken, refreshSession } from './identity/sessions/refresh-session.ts'
import { markAllRead, markRead, removeNotification, removeRead } from './notifications/change-notifications.ts'
import { countUnread, listNotifications, readNotification } from './notifications/list-notifications.ts'
import type { PaymentsPorts } from './payments-ports.ts'
import { beginRegistration } from './registrations/begin-registration.ts'
import { confirmRegistration } from './registrations/confirm-registration.ts'
import { readRegistration } from './registrations/read-registration.ts'
import { registerFull } from './registrations/register-full.ts'
import { resendLetters } from './registrations/resend-letters.ts'
import { submitImages } from './registrations/submit-images.ts'
import { listTransactions } from './statements/list-transactions.ts'
import { readBalance } from './statements/read-balance.ts'

const people = (ports: PaymentsPorts) => ({
  register: register(ports),
  logIn: logIn(ports),
  exchangeKey: exchangeKey(ports),
  logOut: logOut(ports),
  authenticate: authenticate(ports),
  readMe: readMe(ports),
  readLegacyMe: readLegacyMe(ports),
  listOwnAccounts: listOwnAccounts(ports),
  readRefreshToken: readRefreshToken(ports),
  refreshSession: refreshSession(ports),
  checkCodeTries: checkCodeTries(ports),
  sendVerificationCode: onlyInPerson(sendVerificationCode(ports)),
  verifyEmail: verifyEmail(ports),
  forgotPassword: forgotPassword(ports),
  resetPassword: resetPassword(ports),
  forgotByLink: forgotByLink(ports),
  resetByToken: resetByToken(ports),
  editSelf: onlyInPerson(editSelf(ports)),
  listOwnSessions: onlyInPerson(listOwnSessions(ports)),
  readOwnSession: ownRecord(readOwnSession(ports)),
  endOwnSession: onlyInPerson(endOwnSession(ports)),

  listNotifications: onlyInPerson(listNotifications(ports)),
  countUnread: onlyInPerson(countUnread(ports)),
  readNotification: ownRecord(readNotification(ports)),
  markRead: onlyInPerson(markRead(ports)),
  markAllRead: onlyInPerson(markAllRead(ports)),
  removeNotification: onlyInPerson(removeNotification(ports)),
  removeRead: onlyInPerson(removeRead(ports)),
})

const onboarding = (ports: PaymentsPorts) => ({
  beginRegistration: beginRegistration(ports),
  confirmRegistration: confirmRegistration(ports),
  resendLetters: resendLetters(ports),
  readRegistration: readRegistration(ports),
  submitImages: submitImages(ports),
  registerFull: registerFull(ports),
})

const access = (ports: PaymentsPorts) => ({
  openAccount: onlyInPerson(openAccount(ports)),
  resumeOpening: resumeOpening(ports),
  listOrganizations: listOrganizations(ports),
  updateOrganization: updateOrganization(ports),
  removeOrganization: removeOrganization(ports),
  resolveAccount: resolveAccount(ports),
  readAccount: readAccount(ports),
  openLogo: openLogo(ports),
  updateAccount: updateAccount(ports),
  checkPin: checkPin(ports),
  setPin: setPin(ports),
  setTerms: setTerms(ports),

  listColleagues: listColleagues(ports),
  readColleague: readColleague(ports),
  addColleague: addColleague(ports),
  updateColleague: updateColleague(ports),
  removeColleague: removeColleague(ports),
  listLinks: listLinks(ports),
  readLink: readLink(ports),

  createClient: createClient(ports),
  listClients: listClients(ports),
  readClient: readClient(ports),
  updateClient: updateClient(ports),
  removeClient: removeClient(ports),
})

const billing = (ports: PaymentsPorts) => ({
  issueCharge: issueCharge(ports),
  resumeTitle: resumeTitle(ports),
  listCharges: listCharges(ports),
  readCharge: readCharge(ports),
  readFullCharge: readFullCharge(ports),
  readPublicCharge: readPublicCharge(ports),
  /** Where the bank tells what happened: `await pay.bank.paid(notice)`. */
  bank: bankInlet(ports),

  readBalance: readBalance(ports),
  listTransactions: listTransactions(ports),

  listDeliveries: listDeliveries(ports),
  readDelivery: readDelivery(ports),
  replayDelivery: replayDelivery(ports),
})

/**
 * The payments business, bound to its ports once. What a member gives is a task: nothing happens before it is called,
 * and it answers a failure or a value: `await pay.issueCharge(actor, input)()`.
 */
export const payments = (ports: PaymentsPorts) => ({
  ...people(ports),
  ...onboarding(ports),
  ...access(ports),
  ...billing(ports),
})

export type Payments = ReturnType<typeof payments>
