/** The guide to the second factor of persons. */
export const SECOND_FACTOR = `# Login em duas etapas

Uma pessoa pode proteger o seu login com um aplicativo autenticador (TOTP, RFC 6238: SHA-1, seis dígitos, 30 segundos)
ou com chaves de acesso. O login de quem não tem segundo fator não muda.

## Ativar

1. \`POST /v1/second-factor\`, com a senha, mostra uma vez o segredo e o QR code.
2. \`POST /v1/second-factor/confirm\`, com o primeiro código, ativa o segundo fator e mostra uma vez dez códigos de
   recuperação. As outras sessões da pessoa terminam.

\`POST /v1/second-factor/recovery-codes\`, com um código, troca os códigos de recuperação. \`POST /v1/second-factor/remove\`,
com a senha e um código, desativa o segundo fator. Uma senha nova por e-mail não o desativa.

Quem perde o aplicativo, as chaves e os códigos de recuperação pede a um ADMIN da conta
\`DELETE /v1/users/{id}/second-factor\`: ela os retira todos, encerra as sessões da pessoa, avisa-a por e-mail e fica na
trilha de auditoria. O ADMIN prova antes o próprio segundo fator, em \`X-Second-Factor\`. O último ADMIN, e quem também
pertence a outra conta, fala com o suporte.

## Entrar

Com a senha certa de quem tem segundo fator, \`POST /v1/auth/login\` e \`POST /access/auth/login\` respondem 202 com um desafio,
em vez de 200 com um token:

| campo | conteúdo |
|---|---|
| \`challenge\` | o desafio, que vale por 5 minutos e só serve a \`POST /v1/auth/second-step\` |
| \`accepts\` | as provas aceitas |
| \`expires_at\` | até quando o desafio vale |

\`POST /v1/auth/second-step\`, com \`challenge\` e \`code\`, abre a sessão e responde como o login. Um código do aplicativo ou de
recuperação vale uma vez; o do aplicativo, também 30 segundos antes e depois do seu tempo. Com \`trust_device\`, a resposta traz
\`device_token\`: enviado com a senha nos próximos logins, ele dispensa o segundo passo por 30 dias, até que a senha ou o
segundo fator mude. \`GET /v1/trusted-devices\` mostra os dispositivos, e \`DELETE /v1/trusted-devices/{id}\` remove um.

| situação | resposta |
|---|---|
| código errado ou já usado | 403 com \`second-factor.wrong\` |
| desafio expirado, usado, ou com cinco códigos errados | 410 com \`challenge.ended\`: entre de novo |
| dez códigos errados em uma hora | 429 com \`second-factor.locked\`, por uma hora |

## Chaves de acesso

Uma chave de acesso (passkey, WebAuthn) prova o segundo fator sem código, se o servidor as aceita. Cada uso tem duas rotas:
uma responde as opções do navegador em \`public_key\`, a outra recebe o resultado, como \`toJSON()\` o mostra, em até 5
minutos e uma vez.

| uso | opções | resultado |
|---|---|---|
| cadastrar | \`POST /v1/second-factor/passkeys/options\` | \`POST /v1/second-factor/passkeys\` |
| segundo passo do login | \`POST /v1/second-factor/proofs/passkey-options\` | \`POST /v1/auth/second-step/passkey\` |
| responder a um desafio | \`POST /v1/second-factor/proofs/passkey-options\` | \`POST /v1/second-factor/proofs/passkey\` |
| login sem senha | \`POST /v1/auth/login/passkey-options\` | \`POST /v1/auth/login/passkey\` |

O cadastro pede a senha dos últimos dez minutos (\`POST /v1/auth/confirm-password\`); o primeiro ativa o segundo fator e mostra
uma vez os códigos de recuperação. Quem já tem segundo fator envia também \`X-Second-Factor\`, e assim também na remoção, com
\`DELETE /v1/second-factor/passkeys/{id}\`. Sem senha só entra quem o aparelho reconheceu, por PIN, digital ou rosto. Uma
chave cujo contador não avançou pode ser uma cópia: é recusada, e a trilha de auditoria o registra.

## Exigir dos membros

\`PATCH /v1/account/second-factor\` muda o que a conta pede; só um ADMIN pode, e não com uma chave de API.

- \`second_factor_required\`: quem não tem segundo fator entra, mas recebe 403 com \`second-factor.none\` em toda rota da conta,
  até ativar o seu. As rotas da própria pessoa continuam abertas; nas notificações de uma conta que exige, \`data\` traz só o
  número da conta, e em \`export.ready\` o id, que abre o arquivo, vem zerado.
- \`second_factor_from\`: um saque ou uma transferência deste valor em diante pede o segundo fator, além do PIN.
- \`second_factor_day_from\`: quando a soma dos saques e transferências do dia chega a este valor, cada um pede o segundo
  fator, por menor que seja.

Em qualquer dos dois casos, a primeira cobrança, plano ou link que divide valores com uma conta (\`splits\`) também o pede.

Enquanto a conta pede o segundo fator, por qualquer das três regras, também o pede uma alteração pela qual outra
pessoa passaria a agir na conta: criar um usuário (\`POST /v1/users\`, \`/access/manager/users\` e
\`/access/manager/api-tokens\`), dar a um usuário permissões que ele não tinha, por perfil ou por \`status\`, e mudar
o e-mail ou a senha de um colega. Remover a organização (\`DELETE /v1/organizations/{id}\`) também o pede.

Toda conta avisa por e-mail os seus ADMINs ativos de um membro novo, de um perfil ou \`status\` alterado e de um membro
removido, com o e-mail do membro e quem o alterou. O aviso também vai a quem fez a alteração, porque o seu token pode ter
sido roubado; não vai ao próprio membro.

Quem tem o e-mail do cadastro alterado, por si ou por um ADMIN, é avisado no endereço anterior.

Em toda conta, o próprio e-mail e a própria senha só mudam até dez minutos depois do login ou de
\`POST /v1/auth/confirm-password\`; mais tarde, \`PUT /v1/users/{id}\` responde 403 com \`password.stale\`.

Para confirmar um saque, uma transferência, um split, uma alteração da equipe, a remoção da organização, ou uma
alteração que faz a conta pedir menos: peça um desafio com \`POST /v1/second-factor/challenges\`, responda-o com
\`POST /v1/second-factor/proofs\` e envie-o na requisição, no cabeçalho \`X-Second-Factor\`. Ele confirma uma
requisição só. Sem ele, a resposta é 403 com \`second-factor.required\`, em todas as versões da API.

Uma chave de API representa um programa: o seu token entra numa conta que exige o segundo fator, mas não o prova. De
\`second_factor_from\` em diante, ele só saca com um desafio que a pessoa do token respondeu.
`
