import { forgotByLink } from './access/codes/forgot-by-link.ts'
import { resetByToken } from './access/codes/reset-by-token.ts'
import { resetPassword } from './access/codes/reset-password.ts'
import { forgotPassword, sendVerificationCode } from './access/codes/send-code.ts'
import { checkCodeTries } from './access/codes/try-code.ts'
import { verifyEmail } from './access/codes/verify-email.ts'
import { listOwnAccounts } from './access/list-own-accounts.ts'
import { listOrganizations } from './access/organizations/list-organizations.ts'
import { removeOrganization } from './access/organizations/remove-organization.ts'
import { updateOrganization } from './access/organizations/update-organization.ts'
import { editSelf } from './access/people/edit-self.ts'
import { readLegacyMe } from './access/people/read-legacy-me.ts'
import { readMe } from './access/people/read-me.ts'
import { register } from './access/people/register.ts'
import { readAccount } from './access/read-account.ts'
import { resolveAccount } from './access/resolve-account.ts'
import { authenticate } from './access/sessions/authenticate.ts'
import { exchangeKey } from './access/sessions/exchange-key.ts'
import { logIn } from './access/sessions/log-in.ts'
import { logOut } from './access/sessions/log-out.ts'
import { endOwnSession, listOwnSessions, readOwnSession } from './access/sessions/own-sessions.ts'
import { readRefreshToken, refreshSession } from './access/sessions/refresh-session.ts'
import { addTeamMember } from './access/team/add-team-member.ts'
import { listMemberships } from './access/team/list-memberships.ts'
import { listTeam } from './access/team/list-team.ts'
import { readMembership } from './access/team/membership-view.ts'
import { removeTeamMember } from './access/team/remove-team-member.ts'
import { readTeamMember } from './access/team/team-member.ts'
import { updateTeamMember } from './access/team/update-team-member.ts'
import { checkPin } from './accounts/pin/check-pin.ts'
import { setPin } from './accounts/pin/set-pin.ts'
import { setTerms } from './accounts/settings/set-terms.ts'
import { updateAccount } from './accounts/settings/update-account.ts'
import { onlyInPerson, ownRecord } from './actor.ts'
import { issueCharge } from './charges/issue-charge.ts'
import { listCharges } from './charges/list-charges.ts'
import { readCharge, readFullCharge, readPublicCharge } from './charges/read-charge.ts'
import { bankNotifications } from './charges/titles/bank-notifications.ts'
import { resumeTitle } from './charges/titles/register-title.ts'
import { createClient } from './customers/create-client.ts'
import { listClients } from './customers/list-clients.ts'
import { readClient } from './customers/read-client.ts'
import { removeClient } from './customers/remove-client.ts'
import { updateClient } from './customers/update-client.ts'
import { openLogo } from './files/open-logo.ts'
import { markAllRead, markRead, removeNotification, removeRead } from './inbox/change-notifications.ts'
import { countUnread, listNotifications, readNotification } from './inbox/list-notifications.ts'
import type { PaymentsPorts } from './payments-ports.ts'
import { beginRegistration } from './registrations/begin-registration.ts'
import { confirmRegistration } from './registrations/confirm-registration.ts'
import { openAccount } from './registrations/opening/open-account.ts'
import { resumeOpening } from './registrations/opening/resume-opening.ts'
import { readRegistration } from './registrations/read-registration.ts'
import { registerFull } from './registrations/register-full.ts'
import { resendCodes } from './registrations/resend-codes.ts'
import { submitImages } from './registrations/submit-images.ts'
import { listTransactions } from './statements/list-transactions.ts'
import { readBalance } from './statements/read-balance.ts'
import { listDeliveries } from './webhooks/list-deliveries.ts'
import { readDelivery } from './webhooks/read-delivery.ts'
import { replayDelivery } from './webhooks/replay-delivery.ts'

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
  resendCodes: resendCodes(ports),
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

  listTeam: listTeam(ports),
  readTeamMember: readTeamMember(ports),
  addTeamMember: addTeamMember(ports),
  updateTeamMember: updateTeamMember(ports),
  removeTeamMember: removeTeamMember(ports),
  listMemberships: listMemberships(ports),
  readMembership: readMembership(ports),

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
  bank: bankNotifications(ports),

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
