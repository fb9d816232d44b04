import { type EmailTemplate, link, text } from '../../office/mail.ts'
import { codeBlocks } from '../access/code-mail.ts'

const greeting = (name: string) => text(`Olá, ${name}!`)

export const codeMail = (name: string, typed: string): EmailTemplate => ({
  subject: 'Seu código de validação',
  blocks: [
    greeting(name),
    text('Para continuar a abertura da sua conta, informe este código:'),
    ...codeBlocks(typed),
    text('Ele vale por 1 hora.', 'Se você não pediu a abertura de uma conta, ignore esta mensagem.'),
  ],
})

/** The mail of an approval without a chosen password: the link sets it. */
export const openedMail = (name: string, url: string): EmailTemplate => ({
  subject: 'Sua conta foi aberta',
  blocks: [
    greeting(name),
    text('Sua conta foi aprovada e já pode ser usada. Para entrar pela primeira vez, crie sua senha:'),
    link('Criar senha', url),
    text('O endereço vale por 7 dias e só pode ser usado uma vez.'),
  ],
})

/** The mail of an approval with a chosen password. */
export const readyMail = (name: string): EmailTemplate => ({
  subject: 'Sua conta foi aberta',
  blocks: [greeting(name), text('Sua conta foi aprovada. Entre com seu e-mail e a senha que você escolheu.')],
})

export const refusedMail = (name: string, reason: string): EmailTemplate => ({
  subject: 'Sua conta não foi aberta',
  blocks: [
    greeting(name),
    text('O banco analisou seus dados e não aprovou a abertura da conta.', `Motivo: ${reason}`),
    text('Depois de corrigir o que for preciso, você pode se cadastrar de novo.'),
  ],
})
