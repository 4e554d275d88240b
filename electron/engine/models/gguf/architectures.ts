/** `general.architecture` of text models that the bundled llama.cpp runs. */
export const WRITING_ARCHITECTURES: ReadonlySet<string> = new Set(
  `llama llama4 deci falcon grok gpt2 gptj gptneox mpt baichuan starcoder refact bloom stablelm qwen qwen2 qwen2moe
  qwen2vl qwen3 qwen3moe qwen3next qwen3vl qwen3vlmoe qwen35 qwen35moe phi2 phi3 phimoe plamo plamo2 plamo3 codeshell
  orion internlm2 minicpm minicpm3 gemma gemma2 gemma3 gemma3n gemma4 starcoder2 mamba mamba2 jamba falcon-h1 xverse
  command-r cohere2 cohere2moe dbrx olmo olmo2 olmoe muse-glimmer openelm arctic deepseek deepseek2 deepseek32
  deepseek4 chatglm glm4 glm4moe glm-dsa bitnet jais jais2 nemotron nemotron_h nemotron_h_moe exaone exaone4 exaone-moe
  rwkv6 rwkv6qwen2 rwkv7 arwkv7 granite granitemoe granitehybrid graniteswitch chameleon plm bailingmoe bailingmoe2 dots1
  arcee afmoe laguna ernie4_5 ernie4_5-moe hunyuan-moe hunyuan-dense hunyuan_vl hy_v3 smollm3 gpt-oss lfm2 lfm2moe
  smallthinker seed_oss grovemoe apertus minimax-m2 minimax-m3 cogvlm pangu-embedded mistral3 mistral4 mimo2 step35
  maincoder kimi-linear talkie mellum nanbeige`.split(/\s+/),
)

/** For embeddings, pictures, sound, or drafts. */
export const OTHER_ARCHITECTURES: ReadonlySet<string> = new Set(
  `bert modern-bert nomic-bert nomic-bert-moe neo-bert jina-bert-v2 jina-bert-v3 eurobert gemma-embedding llama-embed t5
  t5encoder wavtokenizer-dec clip deepseek2-ocr paddleocr qwen3tts dream llada llada-moe rnd1 eagle3 dflash
  gemma4-assistant`.split(/\s+/),
)
