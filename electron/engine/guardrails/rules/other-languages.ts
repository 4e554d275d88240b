import type { PhraseRule } from './phrase-rule.ts'

export const OTHER_LANGUAGE_RULES: readonly PhraseRule[] = [
  {
    kind: 'override',
    reason: 'tells the model to drop its earlier instructions (not in English)',
    score: 0.85,
    cues: [
      'ignora',
      'ignorar',
      'ignore',
      'ignorez',
      'ignoriere',
      'ignorieren',
      'ignoreer',
      'olvida',
      'olvide',
      'oublie',
      'oubliez',
      'vergiss',
      'vergessen',
      'vergeet',
      'esqueca',
      'desconsidere',
      'dimentica',
      'zignoruj',
      'zapomnij',
      'missachte',
      'negeer',
      'unut',
      'yoksay',
      'abaikan',
      'glom',
      'ignorera',
    ],
    followedBy: [
      {
        within: 40,
        pattern:
          /\b(?:instrucciones|instrucoes|istruzioni|instructions (?:precedentes|anterieures|ci-dessus)|anweisungen|vorgaben|instructies|aanwijzingen|ordenes|ordens|ordini|consignes|indicaciones|reglas|regole|regeln|regels|polecenia|instrukcje|instruktioner|talimatlari|instruksi|befehle)\b/i,
      },
    ],
  },
]

/** In other scripts; each pattern is bounded, so a search is linear. */
export const OTHER_SCRIPT_PATTERNS: readonly RegExp[] = [
  /(?:忽略|忽视|无视|無視|不要理会|忘记|忘掉|忘記).{0,12}(?:指令|指示|说明|說明|规则|規則|提示词|提示|命令)/,
  /(?:前|上|以前|これまで|すべて).{0,8}(?:指示|命令|プロンプト|ルール|指令).{0,4}(?:無視|忘れ)/,
  /(?:이전|위의|모든|앞의).{0,12}(?:지시|명령|지침|프롬프트).{0,6}(?:무시|잊어)/,
  /(?:игнорируй|проигнорируй|забудь|не обращай внимания).{0,24}(?:инструкци|указани|команд|правил|сообщени)/i,
  /(?:تجاهل|انس|تناسى).{0,20}(?:التعليمات|الأوامر|القواعد|التوجيهات)/,
  /(?:पिछले|पूर्व|सभी|ऊपर).{0,24}(?:निर्देश|आदेश|नियम).{0,16}(?:अनदेखा|नज़रअंदाज़|भूल)/,
  /(?:התעלם|תתעלם|שכח).{0,20}(?:ההוראות|הנחיות|הכללים|הפקודות)/,
]
