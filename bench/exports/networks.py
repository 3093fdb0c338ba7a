"""Small networks of every kind that people export, with random weights: each builder gives a module, its inputs and what
its one output is called. Packages (torch, torchvision, transformers, diffusers, timm) are the reader's own: nothing else of
the project asks for them."""

import torch

SIDE, BATCH, CLASSES = 32, 2, 5


def images(side=SIDE, channels=3):
    return (torch.randn(BATCH, channels, side, side),)


def tokens(vocabulary, length=6):
    return (torch.randint(0, vocabulary, (BATCH, length)),)


class Only(torch.nn.Module):
    """A network that hands out one tensor of what it computes."""

    def __init__(self, inner, take):
        super().__init__()
        self.inner, self.take = inner, take

    def forward(self, *x):
        return self.take(self.inner, *x)


# ---- torchvision ----


def squeezenet():
    from torchvision.models import squeezenet1_1
    return squeezenet1_1(num_classes=CLASSES), images()


def resnet():
    from torchvision.models.resnet import BasicBlock, ResNet
    return ResNet(BasicBlock, [1, 1, 1, 1], num_classes=CLASSES), images()


def mobilenet():
    from torchvision.models import MobileNetV2
    return MobileNetV2(CLASSES, width_mult=0.25, inverted_residual_setting=[[1, 16, 1, 1], [6, 24, 2, 2], [6, 32, 2, 2]]), images()


def densenet():
    from torchvision.models import DenseNet
    return DenseNet(4, (2, 2, 2), 8, num_classes=CLASSES), images()


def vgg():
    from torchvision.models.vgg import VGG, make_layers
    net = VGG(make_layers([8, 8, "M", 16, "M"]), num_classes=CLASSES, init_weights=False)
    net.avgpool, net.classifier = torch.nn.AdaptiveAvgPool2d(2), torch.nn.Sequential(
        torch.nn.Linear(64, 32), torch.nn.ReLU(True), torch.nn.Dropout(), torch.nn.Linear(32, CLASSES))
    return net, images()


def googlenet():
    from torchvision.models import GoogLeNet
    return GoogLeNet(CLASSES, aux_logits=False, init_weights=False), images(48)


def vit():
    from torchvision.models import VisionTransformer
    return VisionTransformer(SIDE, 16, 2, 2, 32, 48, num_classes=CLASSES), images()


def swin():
    from torchvision.models import SwinTransformer
    return SwinTransformer([4, 4], 12, [2, 2], [2, 4], [4, 4], num_classes=CLASSES, stochastic_depth_prob=0.0), images()


def efficientnet():
    from torchvision.models.efficientnet import EfficientNet, MBConvConfig
    blocks = [MBConvConfig(1, 3, 1, 8, 8, 1), MBConvConfig(6, 5, 2, 8, 12, 2)]
    return EfficientNet(blocks, 0.2, stochastic_depth_prob=0.0, num_classes=CLASSES), images()


def convnext():
    from torchvision.models.convnext import CNBlockConfig, ConvNeXt
    return ConvNeXt([CNBlockConfig(8, 16, 1), CNBlockConfig(16, None, 2)], 0.0, num_classes=CLASSES), images()


# ---- transformers ----


def bert():
    from transformers import BertConfig, BertForSequenceClassification
    c = BertConfig(vocab_size=40, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
                   max_position_embeddings=16, num_labels=CLASSES, pad_token_id=None)
    return Only(BertForSequenceClassification(c), lambda m, x: m(x).logits), tokens(40)


def gpt2():
    from transformers import GPT2Config, GPT2LMHeadModel
    c = GPT2Config(vocab_size=40, n_positions=16, n_embd=32, n_layer=2, n_head=2, activation_function="gelu")
    return Only(GPT2LMHeadModel(c), lambda m, x: m(x, use_cache=False).logits), tokens(40)


def llama():
    from transformers import LlamaConfig, LlamaForCausalLM
    c = LlamaConfig(vocab_size=40, hidden_size=32, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2,
                    num_key_value_heads=1, max_position_embeddings=16)
    return Only(LlamaForCausalLM(c), lambda m, x: m(x, use_cache=False).logits), tokens(40)


def hf_vit():
    from transformers import ViTConfig, ViTForImageClassification
    c = ViTConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32, image_size=SIDE,
                  patch_size=16, num_labels=CLASSES)
    return Only(ViTForImageClassification(c), lambda m, x: m(x).logits), images()


def whisper():
    from transformers import WhisperConfig
    from transformers.models.whisper.modeling_whisper import WhisperEncoder
    c = WhisperConfig(num_mel_bins=8, d_model=32, encoder_layers=2, encoder_attention_heads=2, encoder_ffn_dim=32,
                      max_source_positions=10)
    return Only(WhisperEncoder(c), lambda m, x: m(x).last_hidden_state), (torch.randn(BATCH, 8, 20),)


def t5():
    from transformers import T5Config, T5ForConditionalGeneration
    c = T5Config(vocab_size=40, d_model=32, d_kv=16, d_ff=32, num_layers=2, num_heads=2, decoder_start_token_id=0, attn_implementation="eager")
    return (Only(T5ForConditionalGeneration(c), lambda m, x, y: m(input_ids=x, decoder_input_ids=y, use_cache=False).logits),
            tokens(40) + tokens(40, 4))


def mamba():
    from transformers import MambaConfig, MambaForCausalLM
    c = MambaConfig(vocab_size=40, hidden_size=32, state_size=4, num_hidden_layers=2, use_cache=False)
    return Only(MambaForCausalLM(c), lambda m, x: m(x, use_cache=False).logits), tokens(40)


# ---- others ----


def unet():
    from diffusers import UNet2DModel
    net = UNet2DModel(sample_size=16, block_out_channels=(8, 16), norm_num_groups=4, layers_per_block=1, attention_head_dim=16,
                      down_block_types=("DownBlock2D", "AttnDownBlock2D"), up_block_types=("AttnUpBlock2D", "UpBlock2D"))
    return Only(net, lambda m, x, t: m(x, t).sample), images(16) + (torch.tensor([3, 7]),)


def mixer():
    import timm
    net = timm.create_model("mixer_s32_224", pretrained=False, num_classes=CLASSES, img_size=64, num_blocks=2, embed_dim=16)
    return net, images(64)


def lora():
    """A frozen layer beside which a product of two small ones is trained."""

    class Lora(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.base, self.head = torch.nn.Linear(12, 8), torch.nn.Linear(8, CLASSES)
            self.down, self.up = torch.nn.Parameter(torch.randn(2, 12)), torch.nn.Parameter(torch.randn(8, 2))
            self.base.requires_grad_(False)

        def forward(self, x):
            return self.head(torch.relu(self.base(x) + x @ self.down.T @ self.up.T))

    return Lora(), (torch.randn(BATCH, 12),)


def tied():
    """One matrix embeds words and scores them, another is transposed, cut, and joined with a third."""

    class Tied(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.words = torch.nn.Embedding(20, 6)
            self.q, self.k, self.v = (torch.nn.Parameter(torch.randn(6, 6)) for _ in range(3))
            self.bias = torch.nn.Parameter(torch.randn(18))

        def forward(self, x):
            h = self.words(x)
            q, k, v = (h @ torch.cat([self.q, self.k.T, self.v.reshape(6, 6)], 1) + self.bias).chunk(3, -1)
            h = torch.softmax(q @ k.transpose(-1, -2) / 4, -1) @ v
            return h @ self.words.weight.T

    return Tied(), tokens(20)


def lstm():
    class Lstm(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.rnn, self.head = torch.nn.LSTM(6, 5, batch_first=True, bidirectional=True), torch.nn.Linear(10, CLASSES)

        def forward(self, x):
            return self.head(self.rnn(x)[0][:, -1])

    return Lstm(), (torch.randn(BATCH, 4, 6),)


VISION = [squeezenet, resnet, mobilenet, densenet, vgg, googlenet, vit, swin, efficientnet, convnext]
ALL = {f.__name__: f for f in [*VISION, bert, gpt2, llama, hf_vit, whisper, t5, mamba, unet, mixer, lora, tied, lstm]}
