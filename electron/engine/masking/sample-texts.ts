/** Invented texts that hold each type of personal data, or nearly, in letters of one byte and of two: both are compiled for. */
export const SAMPLE_TEXTS: readonly string[] = [
  'Please write to jane.doe@example.com or call (555) 123-4567, +44 20 7946 0018 or 0341 8387176 ext. 12.',
  'My card is 4111 1111 1111 1111, my SSN 123-45-6789, my IBAN GB82 WEST 1234 5698 7654 32.',
  "He was born on 12 May 1980; passport number X1234567, driver's license no. D123-4567-8901.",
  'The hosts 192.0.2.17 and 2001:db8::17 answered at 12:30:45, version 1.2.3.4, order 2024-05-12/7781.',
  'api_key = "a8F3kd92JJx0qLm47Zt1", Authorization: Bearer abcDEF123ghiJKL456mno, https://u:pa55word@example.com',
  'Møller called Zoë at 0171 2345678 and wrote to zoë@exämple.com: born 3.4.1977, mobile 0171 2345678.',
  'Łukasz, paid with 5555 5555 5555 4444 on 1990-01-15 (DOB); the idea was born in Gdańsk, łukasz@gdańsk.example, tel. 0048 58 123 45 67.',
  'Dear Ωmega, my passport C01234567 and SSN 123-45-6789 are at 10 Žitna, api key: "a8F3kd92JJx0qLm47Zt1", host 192.0.2.18.',
  'What are my options if the order of Sarah Miller, 12 Main Street, has not arrived after 14 days?',
  'The Long Harbour is a 1987 adventure film, directed by Ann Marlowe (1941-2003) and shot in 14 weeks; it ran for 131 minutes in 212 cinemas.',
  'Ms Priya Raman\nBluewater Ltd\n\n4417 Market Street 12 Apt. 305\n Springfield\n 54017\nMobile: 078 5550 0123\nDesk: +49 (0)30 901820-17\nFax: 5550142233\n(37) 788-0612-Office',
  '[{"user": "j_doe", "born": "1980-05-12", "ip": "203.0.113.7", "card": "4111111111111111", "iban": "GB82WEST12345698765432", "text": "Is card no. 675984103430 \\"lost\\"?\\nCall 555-0142."}]',
]
