import type { Part } from './codes.ts'

const UID_TAKEN = 'Este usuário do provedor de identidade já está cadastrado.'
const EMAIL_TAKEN = 'Este e-mail já está cadastrado.'

/** What is told of people. Source: 03-real-estate.md, Authentication; decisions.md §6 and §10. */
export const accessMessages = {
  failures: {
    'token.invalid': {
      status: 401,
      message: 'Token ausente ou inválido.',
      hint: 'Envie Authorization: Bearer TOKEN, com um ID token do provedor de identidade que ainda vale.',
    },
    'identity.unavailable': {
      status: 503,
      message: 'O provedor de identidade não responde. Tente novamente em instantes.',
    },
    'permission.lacking': { status: 403, message: 'Seu papel não permite esta operação.' },
    'user.unregistered': {
      status: 403,
      message: 'Usuário não cadastrado.',
      hint: 'Cadastre-se com POST /api/auth/register.',
    },
    'user.unknown': { status: 404, message: 'Usuário não cadastrado.' },
    'registration.forbidden': {
      status: 403,
      message: 'Este cadastro só pode ser feito por um administrador da imobiliária.',
    },
    'invitation.unknown': { status: 404, message: 'Convite não encontrado, já usado ou vencido.' },
    'invitation.accepted': { status: 422, message: 'Este convite já foi aceito.' },
    'invitation.other-email': { status: 403, message: 'Este convite é para outro e-mail. Entre com a conta dele.' },
    'invitation.email-unverified': { status: 403, message: 'Confirme seu e-mail para aceitar o convite.' },
    'invitation.too-many': {
      status: 429,
      message: 'A imobiliária já enviou muitos convites nas últimas 24 horas. Tente mais tarde.',
    },
    'invitation.unmailable': { status: 422, message: 'Não há por onde enviar o e-mail do convite.' },
    'user.uid.taken': { status: 409, message: UID_TAKEN },
    'user.email.taken': { status: 409, message: EMAIL_TAKEN },
  },
  issues: {
    'not-own': 'Não é o que diz o token de quem se cadastra.',
    'user.uid.taken': UID_TAKEN,
    'user.email.taken': EMAIL_TAKEN,
  },
} satisfies Part

/** What the development issuer answers: words of Firebase, by which its clients know what happened. */
export const devIssuerMessages = {
  failures: {
    'issuer.email-exists': { status: 400, message: 'EMAIL_EXISTS' },
    'issuer.credentials-wrong': { status: 400, message: 'INVALID_LOGIN_CREDENTIALS' },
    'issuer.token-invalid': { status: 400, message: 'INVALID_ID_TOKEN' },
    'issuer.user-missing': { status: 400, message: 'USER_NOT_FOUND' },
    'issuer.refresh-invalid': { status: 400, message: 'INVALID_REFRESH_TOKEN' },
    'issuer.email-missing': { status: 400, message: 'EMAIL_NOT_FOUND' },
    'issuer.code-invalid': { status: 400, message: 'INVALID_OOB_CODE' },
    'issuer.code-expired': { status: 400, message: 'EXPIRED_OOB_CODE' },
    'issuer.token-expired': { status: 400, message: 'TOKEN_EXPIRED' },
    'login.throttled': {
      status: 429,
      message:
        'TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been temporarily disabled due to many failed login attempts.',
    },
  },
  issues: {},
} satisfies Part
