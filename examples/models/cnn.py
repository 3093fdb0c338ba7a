"""Convolutional networks, after the papers that published them."""

import numpy as np
from net import Net, batch_norm, conv, gemm


def squeezenet1_1():
    """SqueezeNet 1.1 (Iandola et al. 2016, the 1.1 variant of the authors' repository)."""
    net = Net("squeezenet1_1", 13)
    x = net.input("data", [1, 3, 224, 224])

    def fire(x, cin, squeeze, expand, name):
        s = net.node("Relu", [conv(net, x, cin, squeeze, 1, name=name + ".squeeze")])
        a = net.node("Relu", [conv(net, s, squeeze, expand, 1, name=name + ".expand1x1")])
        b = net.node("Relu", [conv(net, s, squeeze, expand, 3, pad=1, name=name + ".expand3x3")])
        return net.node("Concat", [a, b], axis=1)

    def pool(x):
        return net.node("MaxPool", [x], kernel_shape=[3, 3], strides=[2, 2], pads=[0, 0, 0, 0],
                        ceil_mode=1)

    x = pool(net.node("Relu", [conv(net, x, 3, 64, 3, stride=2, name="conv1")]))
    x = fire(x, 64, 16, 64, "fire2")
    x = pool(fire(x, 128, 16, 64, "fire3"))
    x = fire(x, 128, 32, 128, "fire4")
    x = pool(fire(x, 256, 32, 128, "fire5"))
    x = fire(x, 256, 48, 192, "fire6")
    x = fire(x, 384, 48, 192, "fire7")
    x = fire(x, 384, 64, 256, "fire8")
    x = fire(x, 512, 64, 256, "fire9")
    x = net.node("Dropout", [x])
    x = net.node("Relu", [conv(net, x, 512, 1000, 1, name="conv10")])
    x = net.node("GlobalAveragePool", [x])
    net.node("Flatten", [x], ["scores"], name="flatten", axis=1)
    net.output("scores", [1, 1000])
    return net


def resnet50():
    """ResNet-50 (He et al. 2015), stride in the 3x3 convolution, batch normalisation kept."""
    net = Net("resnet50", 13)
    x = net.input("data", [1, 3, 224, 224])

    def conv_bn(x, cin, cout, k, stride, pad, name):
        return batch_norm(net, conv(net, x, cin, cout, k, stride, pad, name=name + ".conv",
                                    bias=False), cout, name + ".bn")

    def bottleneck(x, cin, width, stride, name):
        y = net.node("Relu", [conv_bn(x, cin, width, 1, 1, 0, name + ".1")])
        y = net.node("Relu", [conv_bn(y, width, width, 3, stride, 1, name + ".2")])
        y = conv_bn(y, width, 4 * width, 1, 1, 0, name + ".3")
        if stride != 1 or cin != 4 * width:
            x = conv_bn(x, cin, 4 * width, 1, stride, 0, name + ".down")
        return net.node("Relu", [net.node("Add", [y, x])])

    x = net.node("Relu", [conv_bn(x, 3, 64, 7, 2, 3, "stem")])
    x = net.node("MaxPool", [x], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    cin = 64
    for stage, (width, blocks) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3))):
        for b in range(blocks):
            stride = 2 if stage > 0 and b == 0 else 1
            x = bottleneck(x, cin, width, stride, f"layer{stage + 1}.{b}")
            cin = 4 * width
    x = net.node("Flatten", [net.node("GlobalAveragePool", [x])], axis=1)
    y = gemm(net, x, 2048, 1000, "fc")
    net.node("Softmax", [y], ["probabilities"], name="softmax", axis=1)
    net.output("probabilities", [1, 1000])
    return net


def mobilenet_v2():
    """MobileNetV2 1.0 at 224 (Sandler et al. 2018); batch normalisation folded, ReLU6 as Clip."""
    net = Net("mobilenet_v2", 13)
    x = net.input("data", [1, 3, 224, 224])
    low, high = net.const("zero", 0.0, np.float32), net.const("six", 6.0, np.float32)

    def relu6(x):
        return net.node("Clip", [x, low, high])

    def block(x, cin, cout, stride, expand, name):
        y, width = x, cin * expand
        if expand != 1:
            y = relu6(conv(net, y, cin, width, 1, name=name + ".expand"))
        y = relu6(conv(net, y, width, width, 3, stride, 1, width, name=name + ".depthwise"))
        y = conv(net, y, width, cout, 1, name=name + ".project")
        return net.node("Add", [x, y]) if stride == 1 and cin == cout else y

    x = relu6(conv(net, x, 3, 32, 3, 2, 1, name="stem"))
    cin = 32
    table = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
             (6, 160, 3, 2), (6, 320, 1, 1))
    for stage, (expand, cout, repeat, stride) in enumerate(table):
        for b in range(repeat):
            x = block(x, cin, cout, stride if b == 0 else 1, expand, f"block{stage}.{b}")
            cin = cout
    x = relu6(conv(net, x, 320, 1280, 1, name="head"))
    x = net.node("Flatten", [net.node("GlobalAveragePool", [x])], axis=1)
    gemm(net, x, 1280, 1000, "classifier")
    net.nodes[-1].output[0] = "logits"
    net.output("logits", [1, 1000])
    return net


def ds_cnn():
    """DS-CNN for keyword spotting (Zhang et al. 2017) in the size MLPerf Tiny uses."""
    net = Net("ds_cnn", 13)
    x = net.input("mfcc", [1, 1, 49, 10])
    x = net.node("Relu", [conv(net, x, 1, 64, (10, 4), 2, (4, 1, 5, 1), name="conv")])
    for b in range(4):
        x = net.node("Relu", [conv(net, x, 64, 64, 3, 1, 1, 64, name=f"block{b}.depthwise")])
        x = net.node("Relu", [conv(net, x, 64, 64, 1, name=f"block{b}.pointwise")])
    x = net.node("Flatten", [net.node("GlobalAveragePool", [x])], axis=1)
    y = gemm(net, x, 64, 12, "fc")
    net.node("Softmax", [y], ["keywords"], name="softmax", axis=1)
    net.output("keywords", [1, 12])
    return net


def unet_small():
    """A small U-Net (Ronneberger et al. 2015): four levels, 16 to 128 channels, padded convolutions."""
    net = Net("unet_small", 13)
    x = net.input("image", [1, 3, 128, 128])

    def double(x, cin, cout, name):
        x = net.node("Relu", [conv(net, x, cin, cout, 3, pad=1, name=name + ".a")])
        return net.node("Relu", [conv(net, x, cout, cout, 3, pad=1, name=name + ".b")])

    skips, cin = [], 3
    for level, width in enumerate((16, 32, 64)):
        x = double(x, cin, width, f"down{level}")
        skips.append((x, width))
        x = net.node("MaxPool", [x], kernel_shape=[2, 2], strides=[2, 2])
        cin = width
    x = double(x, 64, 128, "bottom")
    cin = 128
    for level, (skip, width) in reversed(list(enumerate(skips))):
        w = net.weight(f"up{level}.weight", [cin, width, 2, 2])
        b = net.weight(f"up{level}.bias", [width])
        x = net.node("ConvTranspose", [x, w, b], name=f"up{level}", kernel_shape=[2, 2],
                     strides=[2, 2])
        x = double(net.node("Concat", [skip, x], axis=1), 2 * width, width, f"merge{level}")
        cin = width
    x = conv(net, x, 16, 1, 1, name="head")
    net.node("Sigmoid", [x], ["mask"], name="sigmoid")
    net.output("mask", [1, 1, 128, 128])
    return net
